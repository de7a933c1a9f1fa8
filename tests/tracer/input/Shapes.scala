// Classes, closures and collections of Scala's library, for the tracer's tests.
trait Shape { def area: Int }
case class Square(side: Int) extends Shape { def area = side * side }
case class Row(shapes: List[Shape]) extends Shape { def area = shapes.map(_.area).sum }

object Shapes {
  def main(arguments: Array[String]): Unit = {
    val squares = (1 to 300).map(Square(_)).toList
    val rows = squares.grouped(7).map(Row(_)).toVector
    val byLength = rows.flatMap(_.shapes).groupBy(_.area.toString.length)
    println(rows.map(_.area).max + " " + byLength.mapValues(_.size).toSeq.sorted.mkString(","))
    lazy val numbers: Stream[Int] = 1 #:: numbers.map(_ * 3 % 1009)
    println(numbers.take(200).distinct.sum)
  }
}
