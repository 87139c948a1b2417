/**
 * Results of runs as JSON, tables and charts, and the command that runs measurements and writes
 * them.
 */
package io.bloomery.benchmarks.report;
