/** Work of several threads, as Fray schedules it: each public method is one schedule's. */
@NullMarked
package io.bloomery.proof.schedule;

import org.jspecify.annotations.NullMarked;
