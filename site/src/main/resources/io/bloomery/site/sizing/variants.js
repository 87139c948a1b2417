"use strict";

/*
 * What each variant would be for so many keys at a rate, to the digit that FilterProvider.plan
 * gives in Java: {bits, heapBytes, probes, reads, rate(keys)}, or {refusal}.
 */
bloomery.variants = (function () {
  const tables = bloomery.tables;
  const blocks = bloomery.blocks;
  const counting = bloomery.counting;
  const TWO_TO_63 = Math.pow(2, 63);
  const GROWTH = 2;
  const TIGHTENING = 850000;
  const MILLION = 1000000;
  const MAX_SLICES = 64;
  const LOWEST_BLOCK_RATE = 2e-4;

  /* Why there can be no such filter of any variant, or null. */
  function refusal(keys, fpp) {
    if (!(keys >= 1)) {
      return "expected keys must be at least 1";
    }
    if (!(fpp > 0 && fpp < 1)) {
      return "the rate must be between 0 and 1";
    }
    if (Math.floor(fpp * TWO_TO_63) < keys) {
      return "the rate is too low for so many keys, since 64-bit hashes are sometimes equal";
    }
    return null;
  }

  function reads(probes) {
    return probes === 1 ? "1 read" : probes + " reads";
  }

  function table(layoutFor, rateOf, cost) {
    return function (keys, fpp) {
      let layout = layoutFor(keys, fpp);
      if (layout.refusal) {
        return layout;
      }
      return {
        bits: layout.bits,
        heapBytes: layout.bits / 8,
        probes: layout.probes,
        reads: cost(layout.probes),
        rate: function (n) {
          return Math.min(1, rateOf(n, layout) + tables.collisionRate(n));
        },
      };
    };
  }

  function oneBlock() {
    return "1 block";
  }

  const standard = table(tables.standard, tables.standardRate, reads);
  const partitioned = table(tables.partitioned, tables.partitionedRate, reads);
  const splitBlock = table(blocks.splitBlock, blocks.splitBlockRate, oneBlock);

  function counters(family) {
    return function (keys, fpp) {
      let layout = counting.smallest(family, keys, fpp);
      if (layout.refusal) {
        return layout;
      }
      return {
        bits: counting.payloadBytes(layout, keys) * 8,
        heapBytes: counting.heapBytes(layout, keys),
        probes: counting.BLOCK_WORDS * layout.kind.probesPerWord,
        reads: oneBlock(),
        rate: function (n) {
          return counting.rate(n, layout);
        },
      };
    };
  }

  function sliceKeys(keys, slice) {
    return Math.min(TWO_TO_63, keys * Math.pow(GROWTH, slice));
  }

  function sliceRate(fpp, slice) {
    let rate = (fpp * (MILLION - TIGHTENING)) / MILLION;
    for (let i = 0; i < slice; i++) {
      rate *= TIGHTENING / MILLION;
    }
    return rate;
  }

  /* One slice of a filter that grows, sized for the insertions that are attempted. */
  function slice(keys, fpp, number) {
    let rate = sliceRate(fpp, number);
    let most = sliceKeys(keys, number);
    let attempted = Math.min(Math.ceil(most / (1 - rate)), rate * TWO_TO_63);
    let asked = Math.max(most, Math.trunc(attempted));
    let none = refusal(asked, rate);
    if (none !== null) {
      return { refusal: none };
    }
    let plan = (rate >= LOWEST_BLOCK_RATE ? splitBlock : standard)(asked, rate);
    if (!plan.refusal) {
      plan.full = most;
      plan.asked = asked;
    }
    return plan;
  }

  function scalable(keys, fpp) {
    let slices = [slice(keys, fpp, 0)];
    let first = slices[0];
    if (first.refusal) {
      return { refusal: "its first slice " + first.refusal };
    }
    return {
      bits: first.bits,
      heapBytes: first.bits / 8,
      probes: first.probes,
      reads: first.reads + " a slice",
      rate: function (n) {
        let rate = 0;
        let left = n;
        for (let i = 0; left > 0 && i < MAX_SLICES; i++) {
          if (slices.length === i) {
            slices.push(slice(keys, fpp, i));
          }
          let plan = slices[i];
          if (plan.refusal) {
            return rate;
          }
          let more = plan.rate(left <= plan.full ? left : plan.asked);
          rate = rate + more - rate * more;
          left -= Math.min(left, plan.full);
        }
        return rate;
      },
    };
  }

  const variants = {
    standard: standard,
    "split-block": splitBlock,
    partitioned: partitioned,
    counting: counters(counting.SMALL),
    "counting-fast": counters(counting.FAST),
    scalable: scalable,
  };

  return {
    names: Object.keys(variants),
    plan: function (name, keys, fpp) {
      let none = refusal(keys, fpp);
      return none === null ? variants[name](keys, fpp) : { refusal: none };
    },
  };
})();
