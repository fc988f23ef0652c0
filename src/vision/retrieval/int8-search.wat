;; Exact search over pictures: which rows may be among the nearest to a query.
;;
;; A vector is 128 signed bytes. The query stands as 128 signed 16-bit numbers (256 bytes), so that it is
;; widened once and not for each row. Rows are looked at in groups of four: their four dot products
;; fill one vector register and are compared at once with what a row must reach.
;;
;; The four rows of a group stand 16,384 bytes apart, each 128 bytes after that of the group before.
;; Memory is slower than the arithmetic, and four streams at once are read faster than one.
;;
;; `bun scripts/tools/build-vector-search.ts` makes int8-search.wasm of this file.
(module
  (import "search" "memory" (memory 1))

  ;; Writes a hit for each group in which a row reaches `least`, and returns how many it wrote.
  ;; A hit is five i32: the group's number, then the dot products of its four rows.
  ;;
  ;; A row reaches `least` when dot >= least * sqrt(square), where `square` is its squared length, an f32:
  ;; dot / |row| is its cosine times the query's length. A row that holds nothing has the square NaN,
  ;; which no comparison lets through.
  (func (export "scan")
    (param $query i32)    ;; address of the query
    (param $rows i32)     ;; address of the first group's first vector
    (param $squares i32)  ;; address of the first square
    (param $groups i32)   ;; how many groups of four rows
    (param $least f32)
    (param $hits i32)     ;; address of the first hit
    (result i32)
    (local $group i32) (local $found i32) (local $at i32) (local $asked i32) (local $end i32)
    (local $part v128) (local $dots v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $least4 v128)

    (local.set $least4 (f32x4.splat (local.get $least)))
    (local.set $at (local.get $rows))
    (loop $next_group
      (if (i32.lt_u (local.get $group) (local.get $groups)) (then

        ;; Sixteen parts of eight numbers: widen, multiply, add neighbours, add to the row's sums.
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $asked (local.get $query))
        (local.set $end (i32.add (local.get $at) (i32.const 128)))
        (loop $next_parts
          (local.set $part (v128.load (local.get $asked)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=0 (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=16384 (local.get $at)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=32768 (local.get $at)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=49152 (local.get $at)))))

          (local.set $part (v128.load offset=16 (local.get $asked)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=8 (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=16392 (local.get $at)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=32776 (local.get $at)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $part)
            (v128.load8x8_s offset=49160 (local.get $at)))))

          (local.set $asked (i32.add (local.get $asked) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $next_parts (i32.lt_u (local.get $at) (local.get $end))))

        ;; Each row's four sums become one: a0+a2 b0+b2 a1+a3 b1+b3, the same for c and d, then all four.
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
              (f32x4.mul (local.get $least4) (f32x4.sqrt (v128.load (local.get $squares))))))
          (then
            (i32.store (local.get $hits) (local.get $group))
            (v128.store offset=4 (local.get $hits) (local.get $dots))
            (local.set $hits (i32.add (local.get $hits) (i32.const 20)))
            (local.set $found (i32.add (local.get $found) (i32.const 1)))))

        (local.set $squares (i32.add (local.get $squares) (i32.const 16)))
        (local.set $group (i32.add (local.get $group) (i32.const 1)))
        (br $next_group))))
    (local.get $found)))
