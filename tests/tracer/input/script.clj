(defn primes [n] (loop [left (range 2 n) found []]
  (if (empty? left) found
    (let [p (first left)] (recur (doall (remove #(zero? (mod % p)) left)) (conj found p))))))
(println (count (primes 300)) (reduce + (map #(* % %) (range 1000))))
(println (sort (frequencies (map #(mod (* % %) 10) (range 200)))))
