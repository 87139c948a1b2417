package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Status;
import java.io.Serializable;

/**
 * Why a provider could not be loaded.
 *
 * @param status the status of its rules
 */
record LoadFailure(Status status, String reason) implements Serializable {}
