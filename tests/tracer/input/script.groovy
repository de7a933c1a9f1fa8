class Point {
    int x, y
    Point plus(Point other) { new Point(x: x + other.x, y: y + other.y) }
}
def points = (1..200).collect { new Point(x: it, y: it * it) }
def sum = points.inject(new Point()) { a, b -> a + b }
def groups = points.groupBy { it.x % 7 }
println "${sum.x} ${sum.y} ${groups.collect { k, v -> v.size() }.sort()}"
