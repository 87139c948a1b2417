"use strict";

/*
 * Filters that keep all bits of a key in one block, as BlockSizing, RotatedPatterns, TwoWordSizing
 * and Blocks plan them in Java.
 */
bloomery.blocks = (function () {
  const math = bloomery.math;
  const tables = bloomery.tables;
  const OVERFULL = 2048;
  const NEGLIGIBLE = 1e-16;
  const NEGLIGIBLE_UNEVENNESS = 1e-7;
  const NO_CHANCE = 1e-60;
  const ROTATIONS = 64;
  const MAX_WORDS = tables.MAX_BITS / 64;

  function setOneMore(chances, fewest) {
    let bits = chances.length - 1;
    for (let set = bits; set > fewest; set--) {
      chances[set] = (chances[set] * set + chances[set - 1] * (bits - set + 1)) / bits;
    }
    chances[fewest] = (chances[fewest] * fewest) / bits;
  }

  /* The rate of a block by its keys, each with so many bits in each of its parts. */
  function ratesInBlock(parts, partBits, bitsPerPart) {
    let rates = new Float64Array(OVERFULL);
    let allSet = new Float64Array(partBits + 1);
    for (let set = 1; set <= partBits; set++) {
      allSet[set] = math.pow(set / partBits, bitsPerPart);
    }
    let chances = new Float64Array(partBits + 1);
    chances[0] = 1;
    let fewest = 0;
    for (let keys = 1; keys < OVERFULL; keys++) {
      for (let i = 0; i < bitsPerPart; i++) {
        setOneMore(chances, fewest);
        while (chances[fewest] < NO_CHANCE) {
          chances[fewest++] = 0;
        }
      }
      let rateInPart = 0;
      for (let set = fewest; set <= partBits; set++) {
        rateInPart += chances[set] * allSet[set];
      }
      rates[keys] = math.pow(rateInPart, parts);
    }
    return rates;
  }

  function bitCount(number) {
    let count = 0;
    for (let left = number; left !== 0; left &= left - 1) {
      count++;
    }
    return count;
  }

  /* A set of bits of a word, given by their numbers, as its two halves. */
  function wordOf(bits, rotation) {
    let word = { low: 0, high: 0 };
    for (let i = 0; i < bits.length; i++) {
      let bit = (bits[i] + rotation) % ROTATIONS;
      if (bit < 32) {
        word.low |= 1 << bit;
      } else {
        word.high |= 1 << (bit - 32);
      }
    }
    return word;
  }

  function allRotations(pattern) {
    let rotated = new Int32Array(2 * ROTATIONS);
    for (let rotation = 0; rotation < ROTATIONS; rotation++) {
      let word = wordOf(pattern, rotation);
      rotated[2 * rotation] = word.low;
      rotated[2 * rotation + 1] = word.high;
    }
    return rotated;
  }

  function rotationsThatMeet(rotated, subset) {
    let low = subset.low;
    let high = subset.high;
    let rotations = 0;
    for (let i = 0; i < rotated.length; i += 2) {
      if ((rotated[i] & low) !== 0 || (rotated[i + 1] & high) !== 0) {
        rotations++;
      }
    }
    return rotations;
  }

  /* By subset of the query's bits, from all to none, whose numbers have a bit for each left out. */
  function clearRotationsBySubset(rotatedPatterns, query) {
    let clear = [];
    for (let number = 0; number < 1 << query.length; number++) {
      let kept = query.filter(function (bit, i) {
        return (number & (1 << i)) === 0;
      });
      let subset = wordOf(kept, 0);
      clear.push(
        rotatedPatterns.map(function (rotated) {
          return ROTATIONS - rotationsThatMeet(rotated, subset);
        }),
      );
    }
    return clear;
  }

  /*
   * The rate of a pair of words when it and its neighbours have 0, 1, 2 and so on keys. A pattern
   * is the numbers of its bits.
   */
  function ratesOfPatterns(patterns, neighbours) {
    let terms = new Map();
    let rotatedPatterns = patterns.map(allRotations);
    patterns.forEach(function (query) {
      let rotations = clearRotationsBySubset(rotatedPatterns, query);
      for (let a = 0; a < rotations.length; a++) {
        for (let b = 0; b < rotations.length; b++) {
          let clear = 0;
          for (let i = 0; i < patterns.length; i++) {
            clear += rotations[a][i] * rotations[b][i];
            clear += neighbours > 0 ? rotations[a][i] * ROTATIONS : 0;
            clear += neighbours > 1 ? rotations[b][i] * ROTATIONS : 0;
          }
          terms.set(clear, (terms.get(clear) || 0) + (bitCount(a ^ b) % 2 === 0 ? 1 : -1));
        }
      }
    });
    let all = patterns.length * ROTATIONS * ROTATIONS * (1 + neighbours);
    let rates = new Float64Array(OVERFULL);
    Array.from(terms.keys())
      .sort(function (a, b) {
        return a - b;
      })
      .forEach(function (clear) {
        let none = clear / all;
        let term = terms.get(clear) / patterns.length;
        for (let keys = 0; keys < OVERFULL; keys++) {
          rates[keys] += term;
          term *= none;
        }
      });
    rates[0] = 0;
    return rates;
  }

  function ratio(i, keys, blocks) {
    return Math.max(0, keys - i + 1) / i / (blocks - 1);
  }

  /* The mean over blocks of something that depends on a block's keys. */
  function mean(inBlock, beyond, keys, blocks) {
    if (blocks === 1) {
      return keys < OVERFULL ? inBlock[keys] : beyond;
    }
    let logShare = keys * math.log1p(-1 / blocks);
    let counted = math.exp(logShare);
    let sum = 0;
    for (let i = 1; i < OVERFULL; i++) {
      logShare += math.log(ratio(i, keys, blocks));
      let share = math.exp(logShare);
      counted += share;
      sum += share * inBlock[i];
      let next = ratio(i + 1, keys, blocks);
      if (next < 1 && share * next * beyond <= (1 - next) * NEGLIGIBLE * sum) {
        let left = (share * next) / (1 - next);
        return Math.min(beyond, (sum + left * beyond) / (counted + left));
      }
    }
    return Math.min(beyond, sum + Math.max(0, 1 - counted) * beyond);
  }

  /*
   * The formulas of blocks: rate(keys, blocks), where one of so many places in a block is picked by
   * one of 2^32 values.
   */
  function sizing(blockBits, rateInBlock, placesInBlock) {
    function unevenness(blocks) {
      let perValue = (blocks * placesInBlock) / tables.VALUES;
      return perValue > 1 ? 0 : perValue / 2;
    }

    function rate(keys, blocks) {
      let off = unevenness(blocks);
      if (off < NEGLIGIBLE_UNEVENNESS) {
        return mean(rateInBlock, 1, keys, blocks);
      }
      let more = (1 + off) * mean(rateInBlock, 1, keys, blocks / (1 + off));
      let less = (1 - off) * mean(rateInBlock, 1, keys, blocks / (1 - off));
      return (more + less) / 2;
    }

    return {
      rate: rate,
      minBlocks: function (keys, wanted) {
        return minParts(keys, wanted, blockBits, function (blocks) {
          return rate(keys, blocks);
        });
      },
    };
  }

  /* The fewest parts of so many bits whose rate is low enough. */
  function minParts(keys, rate, bits, rateOf) {
    let minBits = (keys * -math.log(rate)) / math.log(2);
    let tooFew = 0;
    let above = 1;
    let below;
    let enough = Math.max(1, Math.floor(minBits / bits));
    while ((below = rateOf(enough)) > rate) {
      tooFew = enough;
      above = below;
      enough *= 2;
    }
    let halve = tooFew === 0;
    while (enough - tooFew > 1) {
      let share = halve ? 0.5 : math.log(above / rate) / math.log(above / below);
      let middle = tooFew + Math.trunc(share * (enough - tooFew));
      middle = Math.max(tooFew + 1, Math.min(enough - 1, middle));
      let now = rateOf(middle);
      let before = enough - tooFew;
      if (now > rate) {
        tooFew = middle;
        above = now;
      } else {
        enough = middle;
        below = now;
      }
      halve = tooFew === 0 || (!halve && enough - tooFew > Math.floor(before / 2));
    }
    return enough;
  }

  /* Remembers what takes milliseconds to make. */
  function once(make) {
    let made = null;
    return function () {
      made = made === null ? make() : made;
      return made;
    };
  }

  const WORDS = 4;
  const BLOCK_BITS = 256;
  const FOUR_WORD_PROBES = 8;
  const TWO_WORD_PROBES = 6;
  const MIN_WORDS = 4;
  const LOWEST_RATE_OF_TWO_WORDS = 0.01;
  const LOWEST_RATE = 1e-6;

  const fourWords = once(function () {
    return sizing(BLOCK_BITS, ratesInBlock(WORDS, 64, 2), 0);
  });

  const patterns = [];
  for (let i = 0; i < 64; i++) {
    patterns.push([0, 1 + (i % 31), 32 + Math.floor(i / 2)]);
  }

  const inner = once(function () {
    return sizing(128, ratesOfPatterns(patterns, 2), 2);
  });
  const outer = once(function () {
    return sizing(128, ratesOfPatterns(patterns, 1), 2);
  });

  function twoWordRate(keys, words) {
    let pairs = words - 1;
    let ofInner = inner().rate(keys, pairs / 3);
    let ofOuter = outer().rate(keys, pairs / 2);
    return ofInner - (2 / pairs) * (ofInner - ofOuter);
  }

  function splitBlockRate(keys, layout) {
    return layout.probes === TWO_WORD_PROBES
      ? twoWordRate(keys, layout.bits / 64)
      : fourWords().rate(keys, layout.bits / BLOCK_BITS);
  }

  function splitBlock(keys, fpp) {
    if (fpp < LOWEST_RATE) {
      return { refusal: "keeps no rate below 10⁻⁶; standard needs less than half the bits there" };
    }
    let rate = fpp - tables.collisionRate(keys);
    let two = fpp >= LOWEST_RATE_OF_TWO_WORDS;
    let words = two
      ? MIN_WORDS -
        1 +
        minParts(keys, rate, 64, function (more) {
          return twoWordRate(keys, MIN_WORDS - 1 + more);
        })
      : fourWords().minBlocks(keys, rate) * WORDS;
    return words > MAX_WORDS
      ? tables.tooLarge(words * 64)
      : { bits: words * 64, probes: two ? TWO_WORD_PROBES : FOUR_WORD_PROBES };
  }

  return {
    OVERFULL: OVERFULL,
    bitCount: bitCount,
    mean: mean,
    once: once,
    ratesInBlock: ratesInBlock,
    ratesOfPatterns: ratesOfPatterns,
    sizing: sizing,
    splitBlock: splitBlock,
    splitBlockRate: splitBlockRate,
  };
})();
