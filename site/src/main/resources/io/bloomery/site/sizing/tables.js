"use strict";

/*
 * Filters of one bit table, as Sizing, TableLayout, StandardProvider and SliceSizing plan them in
 * Java. A layout is {bits, probes}, or {refusal}.
 */
bloomery.tables = (function () {
  const math = bloomery.math;
  const MAX_BITS = (Math.pow(2, 31) - 8) * 64;
  const MAX_WORDS = MAX_BITS / 64;
  const MAX_PROBES = 64;
  const EVEN_WORDS = Math.pow(2, 24);
  const VALUES = Math.pow(2, 32);
  const WITHOUT_ROUNDING = 1 - 1e-9;

  /* How much 64-bit hashes that are equal raise any rate. */
  function collisionRate(keys) {
    return keys * Math.pow(2, -64);
  }

  function tooLarge(bits) {
    return {
      refusal:
        "needs " + bits.toPrecision(3) + " bits, more than the 1.37e+11 that one table has",
    };
  }

  function fillOfWord(keys, values, perKey) {
    let chance = (perKey * values) / VALUES / 64;
    return -math.expm1(keys * math.log1p(-chance));
  }

  /* The share of set bits after so many keys. */
  function fill(keys, words, perKey) {
    if (words <= EVEN_WORDS) {
      return -math.expm1(keys * math.log1p(-perKey / (words * 64)));
    }
    let values = Math.floor(VALUES / words);
    let withOneMore = VALUES % words;
    let share = (withOneMore / VALUES) * (values + 1);
    return (
      share * fillOfWord(keys, values + 1, perKey) + (1 - share) * fillOfWord(keys, values, perKey)
    );
  }

  function rateOfTable(keys, bits, probes) {
    let filled = -math.expm1(keys * math.log1p(-probes / bits));
    return math.pow(filled, probes);
  }

  function wordsNeeded(keys, rate, probes) {
    let filled = math.pow(rate, 1 / probes);
    let bits = probes / -math.expm1(math.log1p(-filled) / keys);
    let words = Math.ceil(bits / 64);
    /* Rounding can leave it short by a word; of more than a table has, that is the same to all. */
    while (words <= MAX_WORDS && rateOfTable(keys, words * 64, probes) > rate) {
      words++;
    }
    return words;
  }

  function standardRate(keys, layout) {
    return math.pow(fill(keys, layout.bits / 64, layout.probes), layout.probes);
  }

  function standard(keys, fpp) {
    let rate = fpp - collisionRate(keys);
    let words = Infinity;
    let probes = 0;
    for (let k = 1; k <= MAX_PROBES; k++) {
      let needed = wordsNeeded(keys, rate, k);
      if (needed < words) {
        words = needed;
        probes = k;
      } else if (needed > words) {
        break;
      }
    }
    if (words > MAX_WORDS) {
      return tooLarge(words * 64);
    }
    while (standardRate(keys, { bits: words * 64, probes: probes }) > rate) {
      words += Math.floor(words / 4096);
      if (words > MAX_WORDS) {
        return tooLarge(words * 64);
      }
    }
    return { bits: words * 64, probes: probes };
  }

  function sliceRate(keys, sliceWords, slices) {
    return math.pow(fill(keys, sliceWords, 1), slices);
  }

  function sliceBits(keys, rate, slices) {
    let filled = math.pow(rate, 1 / slices);
    return 1 / -math.expm1(math.log1p(-filled) / keys);
  }

  function sliceWordsNeeded(keys, rate, slices) {
    let estimate = Math.ceil(sliceBits(keys, rate, slices) / 64);
    if (estimate * slices > MAX_WORDS) {
      return estimate * slices;
    }
    let enough = estimate;
    for (let step = 1; sliceRate(keys, enough, slices) > rate; step *= 2) {
      enough += step;
    }
    let tooFew = enough - 1;
    for (let step = 1; tooFew > 0 && sliceRate(keys, tooFew, slices) <= rate; step *= 2) {
      enough = tooFew;
      tooFew = Math.max(0, tooFew - step);
    }
    while (enough - tooFew > 1) {
      let middle = Math.floor((tooFew + enough) / 2);
      if (sliceRate(keys, middle, slices) <= rate) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return enough * slices;
  }

  function partitioned(keys, fpp) {
    let rate = fpp - collisionRate(keys);
    let words = Infinity;
    let slices = 0;
    let before = Infinity;
    for (let k = 1; k <= MAX_PROBES; k++) {
      let bits = k * sliceBits(keys, rate, k);
      if (bits > before && bits * WITHOUT_ROUNDING > words * 64) {
        break;
      }
      before = bits;
      let needed = sliceWordsNeeded(keys, rate, k);
      if (needed < words) {
        words = needed;
        slices = k;
      }
    }
    return words > MAX_WORDS ? tooLarge(words * 64) : { bits: words * 64, probes: slices };
  }

  function partitionedRate(keys, layout) {
    return sliceRate(keys, Math.floor(layout.bits / 64 / layout.probes), layout.probes);
  }

  return {
    MAX_BITS: MAX_BITS,
    VALUES: VALUES,
    collisionRate: collisionRate,
    tooLarge: tooLarge,
    standard: standard,
    standardRate: standardRate,
    partitioned: partitioned,
    partitionedRate: partitionedRate,
  };
})();
