/**
 * Races within one filter, as jcstress runs them: each class is one race, for the variant asked.
 */
@NullMarked
package io.bloomery.proof.race;

import org.jspecify.annotations.NullMarked;
