// Objects, closures, strings, sorting and exceptions, for the tracer's tests.
function Node(key) { this.key = key; this.left = null; this.right = null; }
function insert(node, key) {
    if (node === null) return new Node(key);
    if (key < node.key) node.left = insert(node.left, key); else node.right = insert(node.right, key);
    return node;
}
function walk(node, visit) { if (node !== null) { walk(node.left, visit); visit(node.key); walk(node.right, visit); } }
var root = null;
for (var i = 0; i < 400; i++) root = insert(root, (i * 37) % 401);
var keys = [];
walk(root, function (key) { keys.push("k" + key); });
var words = {};
for (var round = 0; round < 20; round++) {
    words = {};
    for (var j = 0; j < keys.length; j++) words[keys[j] + round] = { round: round, text: keys[j].toUpperCase() };
}
var failed = 0;
for (var k = 0; k < 50; k++) { try { if (k % 5 === 0) throw new Error("five"); } catch (e) { failed++; } }
keys.sort();
print(keys.length + " " + keys[7] + " " + failed + " " + words["k719"].text);
