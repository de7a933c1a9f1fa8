// SPDX-License-Identifier: MIT
// A program of the demo, for the interpreter Rhino: trees are built and dropped.
function tree(depth) {
    return depth == 0 ? null : {left: tree(depth - 1), right: tree(depth - 1)};
}
var last;
for (var i = 0; i < 20; i++)
    last = tree(5);
print(last != null);
