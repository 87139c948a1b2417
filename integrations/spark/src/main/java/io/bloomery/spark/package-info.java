/**
 * Bloom filters built and queried by Apache Spark: start with {@link
 * io.bloomery.spark.BloomerySpark}.
 */
@NullMarked
package io.bloomery.spark;

import org.jspecify.annotations.NullMarked;
