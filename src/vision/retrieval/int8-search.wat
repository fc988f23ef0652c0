;; Exact vector search: finds the groups of rows that may be among the nearest to a query.
;;
;; A vector has 128 signed bytes. The query has 128 signed 16-bit numbers (256 bytes), so that it is widened
;; only once. Rows are processed in groups of four: their four dot products fill one vector register and are
;; compared with the threshold at once.
;;
;; The four rows of a group are 16,384 bytes apart, each 128 bytes after that of the previous group. Memory is
;; slower than the arithmetic, and four streams are read faster than one.
;;
;; `bun scripts/tools/build-vector-search.ts` compiles this file to int8-search.wasm.
(module
  (import "search" "memory" (memory 1))

  ;; Writes a hit for each group in which a row reaches the threshold. Returns the number of hits.
  ;; A hit has five i32: the index of the group, then the dot products of its four rows.
  ;;
  ;; A row reaches the threshold if dot >= threshold * sqrt(square), where `square` is its squared length (f32):
  ;; dot / |row| is its cosine times the length of the query. Empty rows have the square NaN, for which every
  ;; comparison is false.
  (func (export "scan")
    (param $query i32)    ;; address of the query
    (param $rows i32)     ;; address of the first group's first vector
    (param $squares i32)  ;; address of the first square
    (param $groups i32)   ;; number of groups of four rows
    (param $threshold f32)
    (param $hits i32)     ;; address of the first hit
    (result i32)
    (local $group i32) (local $count i32) (local $row_at i32) (local $query_at i32) (local $end i32)
    (local $part v128) (local $dots v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $threshold4 v128)

    (local.set $threshold4 (f32x4.splat (local.get $threshold)))
    (local.set $row_at (local.get $rows))
    (loop $next_group
      (if (i32.lt_u (local.get $group) (local.get $groups)) (then

        ;; Sixteen parts of eight numbers: widen, multiply, add adjacent products, add to the sums of the row.
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $query_at (local.get $query))
        (local.set $end (i32.add (local.get $row_at) (i32.const 128)))
        (loop $next_parts
          (local.set $part (v128.load (local.get $query_at)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=0 (local.get $row_at)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=16384 (local.get $row_at)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=32768 (local.get $row_at)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=49152 (local.get $row_at)))))

          (local.set $part (v128.load offset=16 (local.get $query_at)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=8 (local.get $row_at)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=16392 (local.get $row_at)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=32776 (local.get $row_at)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=49160 (local.get $row_at)))))

          (local.set $query_at (i32.add (local.get $query_at) (i32.const 32)))
          (local.set $row_at (i32.add (local.get $row_at) (i32.const 16)))
          (br_if $next_parts (i32.lt_u (local.get $row_at) (local.get $end))))

        ;; Adds the four sums of each row: a0+a2 b0+b2 a1+a3 b1+b3, likewise for c and d, then all four.
        (local.set $a (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
        (local.set $c (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
        (local.set $dots (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c))))

        (if (v128.any_true (f32x4.ge
              (f32x4.convert_i32x4_s (local.get $dots))
              (f32x4.mul (local.get $threshold4) (f32x4.sqrt (v128.load (local.get $squares))))))
          (then
            (i32.store (local.get $hits) (local.get $group))
            (v128.store offset=4 (local.get $hits) (local.get $dots))
            (local.set $hits (i32.add (local.get $hits) (i32.const 20)))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))))

        (local.set $squares (i32.add (local.get $squares) (i32.const 16)))
        (local.set $group (i32.add (local.get $group) (i32.const 1)))
        (br $next_group))))
    (local.get $count)))
