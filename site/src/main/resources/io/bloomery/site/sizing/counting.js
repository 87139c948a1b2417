"use strict";

/*
 * Filters of counters, as CountingSizing and ListChances plan them in Java. A layout is {blocks,
 * probesPerWord, countBits}, or {refusal}.
 */
bloomery.counting = (function () {
  const math = bloomery.math;
  const tables = bloomery.tables;
  const blocks = bloomery.blocks;
  const OVERFULL = blocks.OVERFULL;
  const BLOCK_WORDS = 2;
  const BLOCK_BITS = 128;
  const BLOCK_BYTES = 16;
  const FAST_COUNT_BITS = 80;
  const LONGEST_LIST = 4;
  const PAIR = 2;
  const MAX_ARRAY = Math.pow(2, 31) - 9;
  const HEAP_BYTES_OF_SPILLED = 24;
  const NEARLY_ALL = 1 - 1e-11;
  const MAX_SHARE_OF_PUTS = 0.03;
  const MANY_KEYS = Math.pow(2, 40);
  const STEPS = 53;

  const pairs = [];
  for (let i = 0; i < 32; i++) {
    pairs.push([0, i + 1]);
  }

  /* The chances that a key has 0, 1, 2 and so on different positions in a word. */
  function chancesOfPositions(probesPerWord) {
    let chances = new Float64Array(probesPerWord + 1);
    if (probesPerWord === PAIR) {
      chances[probesPerWord] = 1;
      return chances;
    }
    chances[0] = 1;
    for (let i = 0; i < probesPerWord; i++) {
      for (let different = probesPerWord; different > 0; different--) {
        let before = chances[different - 1] * (64 - different + 1);
        chances[different] = (chances[different] * different + before) / 64;
      }
      chances[0] = 0;
    }
    return chances;
  }

  function chanceOfPosition(probesPerWord) {
    let chance = 0;
    let ofKey = chancesOfPositions(probesPerWord);
    for (let different = 1; different < ofKey.length; different++) {
      chance += (ofKey[different] * different) / 64;
    }
    return chance;
  }

  /* The chances that the counts of either word of a block take more than their bits. */
  function spilledInBlock(probesPerWord, countBits) {
    let spilled = new Float64Array(OVERFULL).fill(1);
    let ofKey = chancesOfPositions(probesPerWord);
    let chances = new Float64Array(countBits + 2);
    chances[0] = 1;
    for (let keys = 0; keys <= countBits; keys++) {
      let above = chances[countBits + 1];
      spilled[keys] = above * (2 - above);
      let more = new Float64Array(chances.length);
      for (let sum = 0; sum < chances.length; sum++) {
        for (let i = 0; i < ofKey.length; i++) {
          more[Math.min(sum + i, more.length - 1)] += chances[sum] * ofKey[i];
        }
      }
      chances = more;
    }
    return spilled;
  }

  /* The mean of binary digits of a block's largest counter less one. */
  function planesOf(keys, chance) {
    let planes = 1;
    let exactly = math.pow(1 - chance, keys);
    let atMost = exactly;
    for (let count = 1; count <= keys && atMost < NEARLY_ALL; count++) {
      exactly *= ((chance / (1 - chance)) * (keys - count + 1)) / count;
      atMost += exactly;
      if (count > 1 && blocks.bitCount(count) === 1) {
        planes += 1 - math.pow(Math.min(1, atMost), BLOCK_BITS);
      }
    }
    return planes;
  }

  function binomial(keys, chance) {
    let chances = new Float64Array(Math.max(keys, 2 + LONGEST_LIST) + 1);
    chances[0] = math.pow(1 - chance, keys);
    for (let count = 1; count <= keys; count++) {
      chances[count] = ((chances[count - 1] * chance) / (1 - chance)) * (keys - count + 1) / count;
    }
    return chances;
  }

  function aboveCount(chances, count) {
    let atMost = 0;
    for (let i = 0; i <= count; i++) {
      atMost += chances[i];
    }
    return 1 - math.pow(Math.min(1, atMost), BLOCK_BITS);
  }

  /* The chance that a list has room, and that no count is above one. */
  function fitting(chances, largest) {
    let entries = new Float64Array(LONGEST_LIST + 1);
    for (let count = 0; count <= largest; count++) {
      entries[Math.max(0, count - 2)] += chances[count];
    }
    for (let positions = 1; positions < BLOCK_BITS; positions *= 2) {
      let square = new Float64Array(entries.length);
      for (let i = 0; i < square.length; i++) {
        for (let j = 0; j <= i; j++) {
          square[i] += entries[j] * entries[i - j];
        }
      }
      entries = square;
    }
    let sum = 0;
    for (let i = 0; i < entries.length; i++) {
      sum += entries[i];
    }
    return Math.min(1, sum);
  }

  /* How likely a list of counts is too short, and how many planes there are then. */
  function ofLists(chance) {
    let spilled = new Float64Array(OVERFULL);
    let planes = new Float64Array(OVERFULL);
    for (let keys = 1; keys < OVERFULL; keys++) {
      let chances = binomial(keys, chance);
      let fits = fitting(chances, 2 + LONGEST_LIST);
      spilled[keys] = Math.max(spilled[keys - 1], 1 - fits);
      let mean =
        2 * spilled[keys] + Math.max(0, aboveCount(chances, 4) - (fits - fitting(chances, 4)));
      for (let count = 8; count < chances.length - 1; count *= 2) {
        mean += aboveCount(chances, count);
      }
      planes[keys] = Math.max(planes[keys - 1], mean);
    }
    return { spilled: spilled, planes: planes };
  }

  function ofPlanes(probesPerWord, countBits) {
    let spilled = spilledInBlock(probesPerWord, countBits);
    let planes = new Float64Array(OVERFULL);
    let chance = chanceOfPosition(probesPerWord);
    for (let keys = 1; keys < OVERFULL; keys++) {
      planes[keys] = planesOf(keys, chance) * spilled[keys];
    }
    return { spilled: spilled, planes: planes };
  }

  /* Keys for each block when as many puts as may be meet a spilled block. */
  function maxLoad(spilled) {
    let keysInSpilled = spilled.map(function (chance, keys) {
      return chance * keys;
    });
    let enough = 0;
    let tooMany = 64;
    for (let i = 0; i < STEPS; i++) {
      let middle = (enough + tooMany) / 2;
      let keys = blocks.mean(keysInSpilled, OVERFULL, MANY_KEYS, MANY_KEYS / middle);
      if (keys <= MAX_SHARE_OF_PUTS * middle) {
        enough = middle;
      } else {
        tooMany = middle;
      }
    }
    return enough;
  }

  const sizings = {};

  function sizingOf(probesPerWord) {
    if (!(probesPerWord in sizings)) {
      let rates =
        probesPerWord === PAIR
          ? blocks.ratesOfPatterns(pairs, 0)
          : blocks.ratesInBlock(BLOCK_WORDS, 64, probesPerWord);
      sizings[probesPerWord] = blocks.sizing(BLOCK_BITS, rates, 1);
    }
    return sizings[probesPerWord];
  }

  function kind(probesPerWord, countBits) {
    let fast = countBits === FAST_COUNT_BITS;
    return {
      probesPerWord: probesPerWord,
      countBits: countBits,
      maxBlocks: Math.min(
        Math.floor(tables.MAX_BITS / BLOCK_BITS),
        Math.floor(MAX_ARRAY / (fast ? 1 : (BLOCK_WORDS * countBits) / 32)),
      ),
      bytesOfBlock: BLOCK_BYTES + (BLOCK_WORDS * countBits) / 8,
      sizing: function () {
        return sizingOf(probesPerWord);
      },
      spill: blocks.once(function () {
        let spill = fast
          ? ofLists(chanceOfPosition(probesPerWord))
          : ofPlanes(probesPerWord, countBits);
        spill.maxLoad = maxLoad(spill.spilled);
        return spill;
      }),
    };
  }

  const SMALL = {
    lowestRate: 1e-5,
    kinds: [
      kind(1, 64),
      kind(1, 48),
      kind(1, 32),
      kind(2, 48),
      kind(2, 32),
      kind(3, 48),
      kind(3, 32),
      kind(4, 48),
      kind(4, 32),
    ],
  };

  const FAST = {
    lowestRate: 2e-4,
    kinds: [
      kind(1, FAST_COUNT_BITS),
      kind(2, FAST_COUNT_BITS),
      kind(3, FAST_COUNT_BITS),
      kind(4, FAST_COUNT_BITS),
    ],
  };

  function toWords(bytes) {
    let words = bytes / 8;
    let floor = Math.floor(words);
    return (floor + (words - floor >= 0.5 ? 1 : 0)) * 8;
  }

  function planeBytes(layout, keys) {
    let planes = layout.kind.spill().planes;
    return BLOCK_BYTES * blocks.mean(planes, planes[OVERFULL - 1], keys, layout.blocks);
  }

  function bytesOfBlocks(layout) {
    let ints = (BLOCK_WORDS * layout.kind.countBits) / 32;
    return layout.blocks * BLOCK_BYTES + Math.floor((layout.blocks * ints + 1) / 2) * 8;
  }

  function payloadBytes(layout, keys) {
    return bytesOfBlocks(layout) + toWords(layout.blocks * planeBytes(layout, keys));
  }

  function heapBytes(layout, keys) {
    let spilled = blocks.mean(layout.kind.spill().spilled, 1, keys, layout.blocks);
    let besides = HEAP_BYTES_OF_SPILLED * spilled;
    return toWords(
      layout.blocks * layout.kind.bytesOfBlock +
        layout.blocks * (planeBytes(layout, keys) + besides),
    );
  }

  function rate(keys, layout) {
    let found =
      layout.kind.sizing().rate(keys, layout.blocks) + tables.collisionRate(keys);
    return found > NEARLY_ALL ? 1 : found;
  }

  /* The layout of a kind with the fewest blocks, or null if they take more than so many bytes. */
  function fewestBlocks(one, keys, wanted, maxBytes) {
    let most = Math.min(one.maxBlocks, Math.floor(maxBytes / one.bytesOfBlock));
    let least = Math.ceil(keys / one.spill().maxLoad);
    let sizing = one.sizing();
    if (least > most || sizing.rate(keys, most) > wanted) {
      return null;
    }
    return {
      kind: one,
      blocks: sizing.rate(keys, least) <= wanted ? least : sizing.minBlocks(keys, wanted),
    };
  }

  function smallest(family, keys, fpp) {
    if (fpp < family.lowestRate) {
      return {
        refusal:
          "keeps no rate below " +
          (family === FAST ? "2 · 10⁻⁴; counting takes much less" : "10⁻⁵; standard does"),
      };
    }
    let wanted = fpp - tables.collisionRate(keys);
    let smallest = null;
    let fewest = Infinity;
    family.kinds.forEach(function (one) {
      let layout = fewestBlocks(one, keys, wanted, fewest);
      if (layout !== null) {
        let bytes = payloadBytes(layout, keys);
        if (bytes < fewest) {
          smallest = layout;
          fewest = bytes;
        }
      }
    });
    return smallest === null
      ? { refusal: "has no blocks for so many keys; spread them over several filters" }
      : smallest;
  }

  return {
    SMALL: SMALL,
    FAST: FAST,
    BLOCK_WORDS: BLOCK_WORDS,
    smallest: smallest,
    payloadBytes: payloadBytes,
    heapBytes: heapBytes,
    rate: rate,
  };
})();
