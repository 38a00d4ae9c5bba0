/**
 * Running sessions one step at a time: {@link dev.cerrojo.explorer.schedule.Scheduler} gives turns at
 * {@linkplain dev.cerrojo.explorer.schedule.Gate gates} and knows nothing of what is behind them.
 */
@NullMarked
package dev.cerrojo.explorer.schedule;

import org.jspecify.annotations.NullMarked;
