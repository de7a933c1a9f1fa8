/* SPDX-License-Identifier: MIT */
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;

/** An index of made-up texts in memory, and questions to it. */
public class Search {
    private static final int TEXTS = 400;

    private static String word(int number) {
        return "word" + number % 97;
    }

    private static void fill(IndexWriter writer) throws Exception {
        for (int i = 0; i < TEXTS; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = 0; k < 20; k++) {
                text.append(word(i * k + k)).append(' ');
            }
            Document document = new Document();
            document.add(new TextField("text", text.toString(), Field.Store.YES));
            writer.addDocument(document);
        }
    }

    public static void main(String[] arguments) throws Exception {
        RAMDirectory directory = new RAMDirectory();
        IndexWriterConfig how = new IndexWriterConfig(Version.LATEST, new StandardAnalyzer());
        try (IndexWriter writer = new IndexWriter(directory, how)) {
            fill(writer);
        }
        int found = 0;
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            for (int i = 0; i < 97; i++) {
                TopDocs top = searcher.search(new TermQuery(new Term("text", word(i))), 5);
                found += top.totalHits;
            }
        }
        System.out.println(found);
    }
}
