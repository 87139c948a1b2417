package io.bloomery.guard;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a guard's answers since its creation. */
final class Counts {

  final LongAdder absent = new LongAdder();
  final LongAdder maybe = new LongAdder();
  final LongAdder withoutFilter = new LongAdder();
  final LongAdder knownAbsent = new LongAdder();
  final LongAdder cached = new LongAdder();
  final LongAdder loads = new LongAdder();
  final LongAdder loadFailures = new LongAdder();
}
