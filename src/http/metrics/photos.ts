import type { VerdictStatus } from '#rules/photos/verdict.ts'
import type { MetricsRegistry } from './registry.ts'

/** Metrics of photos that were read, of all endpoints that read them. */
export type PhotoMetrics = {
  /** Counts a card. */
  countStatus(status: VerdictStatus): void
  /** Records the time of a photo of one card. */
  recordSeconds(seconds: number): void
}

export function createPhotoMetrics(metrics: MetricsRegistry): PhotoMetrics {
  return {
    countStatus: metrics.counter(
      'cardstock_identifications_total',
      'Identifications by status.',
      'status',
    ),
    recordSeconds: metrics.histogram(
      'cardstock_identification_seconds',
      'Time from the received photo to its response, including the wait for a worker.',
      [0.1, 0.2, 0.35, 0.5, 1, 2, 5, 10, 20, 30],
    ),
  }
}
