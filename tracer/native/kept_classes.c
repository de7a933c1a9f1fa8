/* SPDX-License-Identifier: MIT */
/* The native methods of etmerlin.tracer.Cache, which bring instrumented classes into the
 * virtual machine, and into the cache for later runs. They read entries of the cache as
 * Numbers.java writes them: texts, rows of what numbers stand for, answers about other classes,
 * and a class file. Integers have four bytes, the highest first. A text has its length before
 * it, in two bytes, and a 0 after it. */
#include "class_cache.h"
#include "header.h"
#include "trace_limits.h"
#include "tracer.h"

#include "base/memory.h"
#include "io/descriptor.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FORMAT = 3, /* of entries; each format has files of its own */
    MOST_IN_FILE = 64 * 1024 * 1024,
    MOST_IN_FOLDER = 256 * 1024 * 1024,
    ROW_INTEGERS = 5,
    ANSWER_TEXTS = 4,
};

/* What a number stands for, as in Numbers.java. */
enum { ROW_TYPE, ROW_METHOD, ROW_FIELD, ROW_SITE, ROW_CONSTANT };

static struct {
    struct class_cache *cache; /* NULL: nothing is kept */
    struct failure why;        /* why nothing is kept, or was saved */
    _Atomic uint64_t found, made;
} kept;

/* Reading an entry */

struct cursor {
    const uint8_t *at, *end;
    bool is_short; /* the entry ends too early; what is read from then on is 0 or empty */
};

/* Skips `length` bytes and returns where they begin; NULL: there are fewer. */
static const uint8_t *skip(struct cursor *cursor, size_t length)
{
    const uint8_t *at = cursor->at;
    if (cursor->is_short || (size_t)(cursor->end - at) < length) {
        cursor->is_short = true;
        return NULL;
    }
    cursor->at += length;
    return at;
}

static uint32_t get_integer(struct cursor *cursor)
{
    const uint8_t *at = skip(cursor, 4);
    return at ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
              : 0;
}

static const char *get_text(struct cursor *cursor)
{
    const uint8_t *length = skip(cursor, 2);
    size_t size = length ? (size_t)length[0] << 8 | length[1] : 0;
    const uint8_t *text = skip(cursor, size + 1);
    return text && text[size] == 0 ? (const char *)text : "";
}

struct parts {
    const char **texts;
    uint32_t text_count;
    struct cursor rows, answers;
    uint32_t row_count, answer_count;
    const uint8_t *file;
    uint32_t file_length;
};

/* Splits an entry into its parts. The caller frees parts->texts, also after a failure. False:
 * no memory, or the bytes are no entry. */
static bool read_parts(struct parts *parts, const uint8_t *bytes, size_t length)
{
    struct cursor cursor = {.at = bytes, .end = bytes + length};
    *parts = (struct parts){.text_count = get_integer(&cursor)};
    if (parts->text_count > length ||
        !(parts->texts = array_new(parts->text_count, sizeof(char *))))
        return false;
    for (uint32_t i = 0; i < parts->text_count; i++)
        parts->texts[i] = get_text(&cursor);
    parts->row_count = get_integer(&cursor);
    parts->rows = cursor;
    skip(&cursor, (size_t)parts->row_count * ROW_INTEGERS * 4);
    parts->answer_count = get_integer(&cursor);
    parts->answers = cursor;
    skip(&cursor, (size_t)parts->answer_count * ANSWER_TEXTS * 4);
    parts->file_length = get_integer(&cursor);
    parts->file = skip(&cursor, parts->file_length);
    return !cursor.is_short;
}

static const char *text_of(const struct parts *parts, uint32_t number)
{
    return number < parts->text_count ? parts->texts[number] : "";
}

/* The class */

struct number_row {
    uint32_t kind, first, second, third, place;
};

static struct number_row get_row(struct cursor *cursor)
{
    struct number_row row;
    row.kind = get_integer(cursor);
    row.first = get_integer(cursor);
    row.second = get_integer(cursor);
    row.third = get_integer(cursor);
    row.place = get_integer(cursor);
    return row;
}

/* The next numbers of the class, which it has in a row: its code has the first of them, and
 * computes the others. */
struct next_numbers {
    uint32_t site, constant;
};

static struct next_numbers reserve_numbers(const struct parts *parts)
{
    struct cursor rows = parts->rows;
    uint32_t sites = 0, constants = 0;
    for (uint32_t i = 0; i < parts->row_count; i++) {
        struct number_row row = get_row(&rows);
        sites += row.kind == ROW_SITE;
        constants += row.kind == ROW_CONSTANT;
    }
    return (struct next_numbers){.site = name_new_sites(tracer.names, sites),
                                 .constant = tracer_constants(constants)};
}

/* The number that this run has for what the row stands for; `numbers` are those of the `count`
 * rows before it. */
static uint32_t number_of(const struct parts *parts, const struct number_row *row,
                          const uint32_t *numbers, uint32_t count, struct next_numbers *next)
{
    const char *name = text_of(parts, row->first);
    switch (row->kind) {
    case ROW_TYPE:
        return tracer_type(name);
    case ROW_METHOD:
        return name_of_method(tracer.names, name, text_of(parts, row->second));
    case ROW_FIELD:
        return name_of_field(tracer.names, name, text_of(parts, row->second));
    case ROW_SITE:
        name_site(tracer.names, next->site, row->first < count ? numbers[row->first] : 0,
                  row->second, text_of(parts, row->third));
        return next->site++;
    default:
        return next->constant++;
    }
}

/* Puts the number at `place`, an offset in the file; 0: the class does not have it. */
static void put_number(uint8_t *file, const struct parts *parts, uint32_t place,
                       uint32_t number)
{
    if (place == 0 || (uint64_t)place + 4 > parts->file_length)
        return;
    for (int i = 0; i < 4; i++)
        file[place + (uint32_t)i] = (uint8_t)(number >> (24 - 8 * i));
}

/* Puts the numbers of this run into a copy of the class file. The caller owns it; NULL: no
 * memory. */
static uint8_t *number_class(const struct parts *parts)
{
    uint8_t *file = malloc(parts->file_length + 1);
    uint32_t *numbers = array_new((size_t)parts->row_count + 1, sizeof *numbers);
    struct cursor rows = parts->rows;
    if (file && numbers) {
        struct next_numbers next = reserve_numbers(parts);
        memcpy(file, parts->file, parts->file_length);
        for (uint32_t i = 0; i < parts->row_count; i++) {
            struct number_row row = get_row(&rows);
            numbers[i] = number_of(parts, &row, numbers, i, &next);
            put_number(file, parts, row.place, numbers[i]);
        }
        free(numbers);
        return file;
    }
    free(numbers);
    free(file);
    return NULL;
}

static jbyteArray new_bytes(JNIEnv *jni, const uint8_t *bytes, size_t length)
{
    jbyteArray array = (*jni)->NewByteArray(jni, (jsize)length);
    if (array)
        (*jni)->SetByteArrayRegion(jni, array, 0, (jsize)length, (const jbyte *)bytes);
    return array;
}

static jbyteArray make_class(JNIEnv *jni, const uint8_t *bytes, size_t length)
{
    struct parts parts;
    uint8_t *file = read_parts(&parts, bytes, length) ? number_class(&parts) : NULL;
    jbyteArray made = file ? new_bytes(jni, file, parts.file_length) : NULL;
    if (!file)
        tracer_out_of_memory();
    free(file);
    free(parts.texts);
    return made;
}

/* Sets *key to the key of a class file that was loaded in these circumstances; false: no
 * memory. */
static bool find_key(JNIEnv *jni, jbyteArray file, jint circumstances, XXH128_hash_t *key)
{
    jsize length = (*jni)->GetArrayLength(jni, file);
    void *bytes = (*jni)->GetPrimitiveArrayCritical(jni, file, NULL);
    if (!bytes)
        return false;
    *key = XXH3_128bits_withSeed(bytes, (size_t)length, (XXH64_hash_t)circumstances);
    (*jni)->ReleasePrimitiveArrayCritical(jni, file, bytes, JNI_ABORT);
    return true;
}

/* Native methods of Cache */

/* The key of the list of classes that instrumenting needs: that of a text which no class file
 * consists of. */
static XXH128_hash_t needed_key(void)
{
    static const char text[] = "needed";
    return XXH3_128bits(text, sizeof text);
}

static jbyteArray JNICALL needed_classes(NATIVE_CALLER)
{
    const struct class_entry *entry =
        kept.cache ? class_cache_find(kept.cache, needed_key()) : NULL;
    return entry ? new_bytes(jni, entry->bytes, entry->length) : NULL;
}

static void JNICALL need_classes(NATIVE_CALLER, jbyteArray classes)
{
    jsize length = (*jni)->GetArrayLength(jni, classes);
    jbyte *bytes = kept.cache ? (*jni)->GetByteArrayElements(jni, classes, NULL) : NULL;
    if (!bytes)
        return;
    class_cache_add(kept.cache, needed_key(), (const uint8_t *)bytes, (size_t)length);
    (*jni)->ReleaseByteArrayElements(jni, classes, bytes, JNI_ABORT);
}

static jboolean JNICALL is_initialized(NATIVE_CALLER, jclass which)
{
    jint status = 0;
    return (*tracer.jvmti)->GetClassStatus(tracer.jvmti, which, &status) == 0 &&
           (status & JVMTI_CLASS_STATUS_INITIALIZED);
}

static jlong JNICALL find_class(NATIVE_CALLER, jbyteArray file, jint circumstances)
{
    XXH128_hash_t key;
    if (!kept.cache || !find_key(jni, file, circumstances, &key))
        return 0;
    return (jlong)(intptr_t)class_cache_find(kept.cache, key);
}

static jobjectArray JNICALL list_answers(NATIVE_CALLER, jlong which)
{
    const struct class_entry *entry = (const struct class_entry *)(intptr_t)which;
    struct parts parts;
    jclass element = (*jni)->FindClass(jni, "java/lang/String");
    jobjectArray texts = NULL;
    if (element && read_parts(&parts, entry->bytes, entry->length))
        texts = (*jni)->NewObjectArray(jni, (jsize)(parts.answer_count * ANSWER_TEXTS), element,
                                       NULL);
    for (uint32_t i = 0; texts && i < parts.answer_count * ANSWER_TEXTS; i++) {
        jstring text = (*jni)->NewStringUTF(jni, text_of(&parts, get_integer(&parts.answers)));
        (*jni)->SetObjectArrayElement(jni, texts, (jsize)i, text);
        (*jni)->DeleteLocalRef(jni, text);
    }
    free(element ? parts.texts : NULL);
    return texts;
}

static jbyteArray JNICALL make_found(NATIVE_CALLER, jlong which)
{
    const struct class_entry *entry = (const struct class_entry *)(intptr_t)which;
    atomic_fetch_add(&kept.found, 1);
    return make_class(jni, entry->bytes, entry->length);
}

static jbyteArray JNICALL make_new(NATIVE_CALLER, jbyteArray bytes, jbyteArray file,
                                   jint circumstances)
{
    size_t length = (size_t)(*jni)->GetArrayLength(jni, bytes);
    uint8_t *copy = malloc(length + 1);
    if (!copy) {
        tracer_out_of_memory();
        return NULL;
    }
    (*jni)->GetByteArrayRegion(jni, bytes, 0, (jsize)length, (jbyte *)copy);
    jbyteArray made = make_class(jni, copy, length);
    XXH128_hash_t key;
    if (made && kept.cache && file && find_key(jni, file, circumstances, &key))
        class_cache_add(kept.cache, key, copy, length);
    atomic_fetch_add(&kept.made, 1);
    free(copy);
    return made;
}

/* Opening and saving */

/* Adds the content of the file; false: it could not be read. */
static bool add_file(XXH3_state_t *digest, const char *path)
{
    enum { SIZE = 65536 };
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *bytes = malloc(SIZE);
    size_t got = 0;
    bool is_read = descriptor >= 0 && bytes;
    do {
        is_read = is_read && descriptor_read(descriptor, bytes, SIZE, &got, NULL) == 0;
        if (is_read)
            XXH3_128bits_update(digest, bytes, got);
    } while (is_read && got);
    free(bytes);
    if (descriptor >= 0)
        close(descriptor);
    return is_read;
}

/* Adds both parts of the tracer, which are in one folder. */
static bool add_tracer(XXH3_state_t *digest)
{
    Dl_info own;
    char *archive = NULL;
    if (!dladdr(&kept, &own) || !own.dli_fname)
        return false;
    const char *slash = strrchr(own.dli_fname, '/');
    int folder = slash ? (int)(slash - own.dli_fname) : 1;
    bool is_added =
        asprintf(&archive, "%.*s/ettrace.jar", folder, slash ? own.dli_fname : ".") >= 0 &&
        add_file(digest, own.dli_fname) && add_file(digest, archive);
    free(archive);
    return is_added;
}

/* Adds the property of the virtual machine, and sets *value to it, which the caller
 * deallocates. */
static bool add_property(XXH3_state_t *digest, const char *name, char **value)
{
    if ((*tracer.jvmti)->GetSystemProperty(tracer.jvmti, name, value) != 0)
        return false;
    XXH3_128bits_update(digest, *value, strlen(*value) + 1);
    return true;
}

/* Adds what changes with the file of the JDK's classes, which is too large to be read. */
static bool add_classes(XXH3_state_t *digest, const char *home)
{
    char *path = NULL;
    struct stat facts;
    bool is_there = asprintf(&path, "%s/lib/modules", home) >= 0 && stat(path, &facts) == 0;
    free(path);
    if (!is_there)
        return false;
    uint64_t numbers[] = {facts.st_dev, facts.st_ino, (uint64_t)facts.st_size,
                          (uint64_t)facts.st_mtim.tv_sec, (uint64_t)facts.st_mtim.tv_nsec};
    XXH3_128bits_update(digest, numbers, sizeof numbers);
    return true;
}

static bool add_machine(XXH3_state_t *digest)
{
    char *version = NULL, *home = NULL;
    bool is_added = add_property(digest, "java.vm.version", &version) &&
                    add_property(digest, "java.home", &home) && add_classes(digest, home);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)version);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)home);
    return is_added;
}

/* Sets *kind to the digest of what instrumented classes depend on besides their files; false:
 * it is not known. */
static bool find_kind(XXH128_hash_t *kind)
{
    const char *records = tracer.settings.records;
    uint32_t form[] = {FORMAT, header_is_used, limits_show_losses()};
    XXH3_state_t *digest = XXH3_createState();
    if (!digest)
        return false;
    XXH3_128bits_reset(digest);
    XXH3_128bits_update(digest, form, sizeof form);
    XXH3_128bits_update(digest, records, strlen(records) + 1);
    bool is_found = add_tracer(digest) && add_machine(digest);
    *kind = XXH3_128bits_digest(digest);
    XXH3_freeState(digest);
    return is_found;
}

/* Whether an option puts other classes into the JDK's modules. */
static bool is_patching(JNIEnv *jni, jstring option)
{
    static const char *const options[] = {"--patch-module", "--upgrade-module-path"};
    const char *text = option ? (*jni)->GetStringUTFChars(jni, option, NULL) : NULL;
    bool is_one = !text;
    for (size_t i = 0; text && i < sizeof options / sizeof *options; i++)
        is_one |= strncmp(text, options[i], strlen(options[i])) == 0;
    if (text)
        (*jni)->ReleaseStringUTFChars(jni, option, text);
    return is_one;
}

/* Whether the classes of the JDK are those that came with it. */
static bool is_unpatched(JNIEnv *jni)
{
    jclass machine = (*jni)->FindClass(jni, "jdk/internal/misc/VM");
    jmethodID list = machine ? (*jni)->GetStaticMethodID(jni, machine, "getRuntimeArguments",
                                                         "()[Ljava/lang/String;")
                             : NULL;
    jobjectArray options = list ? (*jni)->CallStaticObjectMethod(jni, machine, list) : NULL;
    bool is_known = options != NULL;
    (*jni)->ExceptionClear(jni);
    for (jsize i = 0; is_known && i < (*jni)->GetArrayLength(jni, options); i++) {
        jstring option = (*jni)->GetObjectArrayElement(jni, options, i);
        is_known = !is_patching(jni, option);
        (*jni)->DeleteLocalRef(jni, option);
    }
    return is_known;
}

static enum status open_cache(JNIEnv *jni, struct failure *why)
{
    struct class_cache_options options = {.most_in_file = MOST_IN_FILE,
                                          .most_in_folder = MOST_IN_FOLDER};
    if (!is_unpatched(jni) || !find_kind(&options.kind))
        return fail(why, STATUS_MEANING, "The classes of this JDK may be others next time");
    char *folder = class_cache_folder();
    if (!folder)
        return fail(why, STATUS_MEANING, "There is no home folder");
    options.folder = folder;
    enum status status = class_cache_open(&kept.cache, &options, why);
    free(folder);
    return status;
}

static void report(void)
{
    if (tracer.settings.verbose && kept.why.status != STATUS_OK)
        failure_print(&kept.why, "ettrace: no instrumented classes are kept", messages());
    else if (tracer.settings.verbose)
        fprintf(messages(), "ettrace: %llu classes instrumented, %llu from the cache.\n",
                (unsigned long long)atomic_load(&kept.made),
                (unsigned long long)atomic_load(&kept.found));
    failure_clear(&kept.why);
}

void kept_classes_end(void)
{
    enum status status = kept.cache ? class_cache_save(kept.cache, &kept.why) : STATUS_OK;
    (void)status; /* kept.why has it */
    report();
}

JNIEXPORT void JNICALL Java_etmerlin_tracer_Cache_bind(JNIEnv *jni, jclass cache);
JNIEXPORT void JNICALL Java_etmerlin_tracer_Cache_bind(JNIEnv *jni, jclass cache)
{
    static const JNINativeMethod methods[] = {
        {"needed", "()[B", __extension__(void *) needed_classes},
        {"need", "([B)V", __extension__(void *) need_classes},
        {"isInitialized", "(Ljava/lang/Class;)Z", __extension__(void *) is_initialized},
        {"find", "([BI)J", __extension__(void *) find_class},
        {"answers", "(J)[Ljava/lang/String;", __extension__(void *) list_answers},
        {"make", "(J)[B", __extension__(void *) make_found},
        {"make", "([B[BI)[B", __extension__(void *) make_new},
    };
    (*jni)->RegisterNatives(jni, cache, methods, sizeof methods / sizeof *methods);
    enum status status = tracer.settings.no_cache ? STATUS_OK : open_cache(jni, &kept.why);
    (void)status; /* reported at the end */
}
