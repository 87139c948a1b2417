/**
 * Bloom filters built and asked by Apache Spark: start with {@link
 * io.bloomery.spark.BloomerySpark}.
 */
@NullMarked
package io.bloomery.spark;

import org.jspecify.annotations.NullMarked;
