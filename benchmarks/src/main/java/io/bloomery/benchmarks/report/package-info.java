/**
 * What a run measured, as JSON, as tables and as charts; and the command that runs and writes it.
 */
package io.bloomery.benchmarks.report;
