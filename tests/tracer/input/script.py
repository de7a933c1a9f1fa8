class Node(object):
    def __init__(self, value, next):
        self.value, self.next = value, next

def build(count):
    first = None
    for i in range(count):
        first = Node(i * i, first)
    return first

total, node = 0, build(500)
while node:
    total += node.value
    node = node.next
words = dict((str(i), [i] * (i % 5)) for i in range(300))
print total, len(words), sorted(words)[:3]
