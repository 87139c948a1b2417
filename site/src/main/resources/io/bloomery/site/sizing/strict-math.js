"use strict";

/*
 * exp, expm1, log, log1p and pow as Java's StrictMath has them, to the last bit: those of a browser
 * may be off by one, and a plan could be off by a word then. Arguments are those of rates: pow has
 * finite ones, of which x is not negative and y is positive and below 2^31.
 *
 * The algorithms and constants are those of fdlibm 5.3, whose notice is:
 *
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 *
 * Developed at SunSoft, a Sun Microsystems, Inc. business.
 * Permission to use, copy, modify, and distribute this
 * software is freely granted, provided that this notice
 * is preserved.
 */
bloomery.math = (function () {
  const LN2_HIGH = 6.93147180369123816490e-1;
  const LN2_LOW = 1.90821492927058770002e-10;
  const INVERSE_LN2 = 1.44269504088896338700;
  const EXP_OVERFLOW = 7.09782712893383973096e2;
  const EXP_UNDERFLOW = -7.45133219101941108420e2;
  const TINY = 1e-300;

  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);
  number[0] = 1;
  const HIGH = words[1] === 0x3ff00000 ? 1 : 0;
  const LOW = 1 - HIGH;

  /* The upper 32 bits, with their sign. */
  function high(x) {
    number[0] = x;
    return words[HIGH] | 0;
  }

  function low(x) {
    number[0] = x;
    return words[LOW];
  }

  function withHigh(x, upper) {
    number[0] = x;
    words[HIGH] = upper;
    return number[0];
  }

  function withoutLow(x) {
    number[0] = x;
    words[LOW] = 0;
    return number[0];
  }

  /* x times 2^k, where that is not below the least normal number. */
  function scaled(x, k) {
    return withHigh(x, high(x) + (k << 20));
  }

  function expSeries(t) {
    return (
      t *
      (1.66666666666666019037e-1 +
        t *
          (-2.77777777770155933842e-3 +
            t *
              (6.61375632143793436117e-5 +
                t * (-1.65339022054652515390e-6 + t * 4.13813679705723846039e-8))))
    );
  }

  function exp(x) {
    let negative = x < 0;
    let size = high(x) & 0x7fffffff;
    if (x !== x || x > EXP_OVERFLOW) {
      return x !== x ? x : Infinity;
    }
    if (x < EXP_UNDERFLOW) {
      return 0;
    }
    let upper = 0;
    let lower = 0;
    let k = 0;
    if (size > 0x3fd62e42) {
      if (size < 0x3ff0a2b2) {
        upper = negative ? x + LN2_HIGH : x - LN2_HIGH;
        lower = negative ? -LN2_LOW : LN2_LOW;
        k = negative ? -1 : 1;
      } else {
        k = Math.trunc(INVERSE_LN2 * x + (negative ? -0.5 : 0.5));
        upper = x - k * LN2_HIGH;
        lower = k * LN2_LOW;
      }
      x = upper - lower;
    } else if (size < 0x3e300000) {
      return 1 + x;
    }
    let t = x * x;
    let c = x - expSeries(t);
    if (k === 0) {
      return 1 - ((x * c) / (c - 2) - x);
    }
    let y = 1 - (lower - (x * c) / (2 - c) - upper);
    return k >= -1021 ? scaled(y, k) : scaled(y, k + 1000) * 9.33263618503218878990e-302;
  }

  function expm1(x) {
    let negative = x < 0;
    let size = high(x) & 0x7fffffff;
    if (x !== x || x > EXP_OVERFLOW) {
      return x !== x ? x : Infinity;
    }
    if (size >= 0x4043687a && negative) {
      return -1;
    }
    let c = 0;
    let k = 0;
    if (size > 0x3fd62e42) {
      let upper;
      let lower;
      if (size < 0x3ff0a2b2) {
        upper = negative ? x + LN2_HIGH : x - LN2_HIGH;
        lower = negative ? -LN2_LOW : LN2_LOW;
        k = negative ? -1 : 1;
      } else {
        k = Math.trunc(INVERSE_LN2 * x + (negative ? -0.5 : 0.5));
        upper = x - k * LN2_HIGH;
        lower = k * LN2_LOW;
      }
      x = upper - lower;
      c = upper - x - lower;
    } else if (size < 0x3c900000) {
      return x;
    }
    let half = 0.5 * x;
    let square = x * half;
    let r =
      1 +
      square *
        (-3.33333333333331316428e-2 +
          square *
            (1.58730158725481460165e-3 +
              square *
                (-7.93650757867487942473e-5 +
                  square * (4.00821782732936239552e-6 + square * -2.01099218183624371326e-7))));
    let t = 3 - r * half;
    let e = square * ((r - t) / (6 - x * t));
    if (k === 0) {
      return x - (x * e - square);
    }
    e = x * (e - c) - c;
    e -= square;
    if (k === -1) {
      return 0.5 * (x - e) - 0.5;
    }
    if (k === 1) {
      return x < -0.25 ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e);
    }
    if (k <= -2 || k > 56) {
      return scaled(1 - (e - x), k) - 1;
    }
    if (k < 20) {
      t = withHigh(1, 0x3ff00000 - (0x200000 >> k));
      return scaled(t - (e - x), k);
    }
    t = withHigh(1, (0x3ff - k) << 20);
    return scaled(x - (e + t) + 1, k);
  }

  function log(x) {
    if (!(x > 0)) {
      return x === 0 ? -Infinity : NaN;
    }
    let hx = high(x);
    let k = 0;
    if (hx < 0x00100000) {
      k -= 54;
      x *= 1.80143985094819840000e16;
      hx = high(x);
    }
    if (hx >= 0x7ff00000) {
      return x;
    }
    k += (hx >> 20) - 1023;
    hx &= 0xfffff;
    let up = (hx + 0x95f64) & 0x100000;
    x = withHigh(x, hx | (up ^ 0x3ff00000));
    k += up >> 20;
    let f = x - 1;
    if ((0xfffff & (2 + hx)) < 3) {
      if (f === 0) {
        return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW;
      }
      let few = f * f * (0.5 - 0.33333333333333333 * f);
      return k === 0 ? f - few : k * LN2_HIGH - (few - k * LN2_LOW - f);
    }
    let s = f / (2 + f);
    let z = s * s;
    let w = z * z;
    let even =
      w *
      (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
    let odd =
      z *
      (6.666666666666735130e-1 +
        w *
          (2.857142874366239149e-1 +
            w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
    let r = odd + even;
    if (((hx - 0x6147a) | (0x6b851 - hx)) > 0) {
      let half = 0.5 * f * f;
      return k === 0
        ? f - (half - s * (half + r))
        : k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f);
    }
    return k === 0 ? f - s * (f - r) : k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f);
  }

  function log1p(x) {
    let hx = high(x);
    let size = hx & 0x7fffffff;
    let k = 1;
    let f = 0;
    let hu = 1;
    let c = 0;
    if (hx < 0x3fda827a) {
      if (size >= 0x3ff00000) {
        return x === -1 ? -Infinity : NaN;
      }
      if (size < 0x3e200000) {
        return size < 0x3c900000 ? x : x - x * x * 0.5;
      }
      if (hx > 0 || hx <= (0xbfd2bec3 | 0)) {
        k = 0;
        f = x;
      }
    }
    if (hx >= 0x7ff00000) {
      return x;
    }
    if (k !== 0) {
      let u;
      if (hx < 0x43400000) {
        u = 1 + x;
        hu = high(u);
        k = (hu >> 20) - 1023;
        c = (k > 0 ? 1 - (u - x) : x - (u - 1)) / u;
      } else {
        u = x;
        hu = high(u);
        k = (hu >> 20) - 1023;
      }
      hu &= 0xfffff;
      if (hu < 0x6a09e) {
        u = withHigh(u, hu | 0x3ff00000);
      } else {
        k += 1;
        u = withHigh(u, hu | 0x3fe00000);
        hu = (0x100000 - hu) >> 2;
      }
      f = u - 1;
    }
    let half = 0.5 * f * f;
    if (hu === 0) {
      if (f === 0) {
        return k === 0 ? 0 : k * LN2_HIGH + (c + k * LN2_LOW);
      }
      let few = half * (1 - 0.66666666666666666 * f);
      return k === 0 ? f - few : k * LN2_HIGH - (few - (k * LN2_LOW + c) - f);
    }
    let s = f / (2 + f);
    let z = s * s;
    let r =
      z *
      (6.666666666666735130e-1 +
        z *
          (3.999999999940941908e-1 +
            z *
              (2.857142874366239149e-1 +
                z *
                  (2.222219843214978396e-1 +
                    z *
                      (1.818357216161805012e-1 +
                        z * (1.531383769920937332e-1 + z * 1.479819860511658591e-1))))));
    return k === 0
      ? f - (half - s * (half + r))
      : k * LN2_HIGH - (half - (s * (half + r) + (k * LN2_LOW + c)) - f);
  }

  function pow(x, y) {
    if (y === 1 || x === 0 || x === 1) {
      return x;
    }
    if (y === 2) {
      return x * x;
    }
    if (y === 0.5) {
      return Math.sqrt(x);
    }
    let ix = high(x);
    let n = 0;
    if (ix < 0x00100000) {
      x *= 9007199254740992;
      n -= 53;
      ix = high(x);
    }
    n += (ix >> 20) - 0x3ff;
    let j = ix & 0xfffff;
    ix = j | 0x3ff00000;
    let k = 0;
    if (j > 0x3988e) {
      if (j < 0xbb67a) {
        k = 1;
      } else {
        n += 1;
        ix -= 0x00100000;
      }
    }
    x = withHigh(x, ix);
    let near = k === 0 ? 1 : 1.5;
    let u = x - near;
    let v = 1 / (x + near);
    let ss = u * v;
    let sHigh = withoutLow(ss);
    let tHigh = withHigh(0, ((ix >> 1) | 0x20000000) + 0x00080000 + (k << 18));
    let tLow = x - (tHigh - near);
    let sLow = v * (u - sHigh * tHigh - sHigh * tLow);
    let s2 = ss * ss;
    let r =
      s2 *
      s2 *
      (5.99999999999994648725e-1 +
        s2 *
          (4.28571428578550184252e-1 +
            s2 *
              (3.33333329818377432918e-1 +
                s2 *
                  (2.72728123808534006489e-1 +
                    s2 * (2.30660745775561754067e-1 + s2 * 2.06975017800338417784e-1)))));
    r += sLow * (sHigh + ss);
    s2 = sHigh * sHigh;
    tHigh = withoutLow(3 + s2 + r);
    tLow = r - (tHigh - 3 - s2);
    u = sHigh * tHigh;
    v = sLow * tHigh + tLow * ss;
    let pHigh = withoutLow(u + v);
    let pLow = v - (pHigh - u);
    let zHigh = 9.61796700954437255859e-1 * pHigh;
    let zLow =
      -7.02846165095275826516e-9 * pHigh +
      pLow * 9.61796693925975554329e-1 +
      (k === 0 ? 0 : 1.35003920212974897128e-8);
    let dHigh = k === 0 ? 0 : 5.84962487220764160156e-1;
    let t1 = withoutLow(zHigh + zLow + dHigh + n);
    let t2 = zLow - (t1 - n - dHigh - zHigh);

    let y1 = withoutLow(y);
    pLow = (y - y1) * t1 + y * t2;
    pHigh = y1 * t1;
    let z = pLow + pHigh;
    j = high(z);
    if (j >= 0x40900000) {
      return Infinity;
    }
    if ((j & 0x7fffffff) >= 0x4090cc00) {
      if (((j - (0xc090cc00 | 0)) | low(z)) !== 0 || pLow <= z - pHigh) {
        return TINY * TINY;
      }
    }
    let size = j & 0x7fffffff;
    k = (size >> 20) - 0x3ff;
    n = 0;
    if (size > 0x3fe00000) {
      n = j + (0x00100000 >> (k + 1));
      k = ((n & 0x7fffffff) >> 20) - 0x3ff;
      let whole = withHigh(0, n & ~(0xfffff >> k));
      n = ((n & 0xfffff) | 0x00100000) >> (20 - k);
      if (j < 0) {
        n = -n;
      }
      pHigh -= whole;
    }
    let t = withoutLow(pLow + pHigh);
    u = t * 6.93147182464599609375e-1;
    v = (pLow - (t - pHigh)) * 6.93147180559945286227e-1 + t * -1.90465429995776804525e-9;
    z = u + v;
    let w = v - (z - u);
    t = z * z;
    let series = z - expSeries(t);
    r = (z * series) / (series - 2) - (w + z * w);
    z = 1 - (r - z);
    if ((high(z) + (n << 20)) >> 20 <= 0) {
      return scaled(z, n + 54) * 5.55111512312578270212e-17;
    }
    return scaled(z, n);
  }

  return { exp: exp, expm1: expm1, log: log, log1p: log1p, pow: pow };
})();
