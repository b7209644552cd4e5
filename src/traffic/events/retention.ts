import type { Plan } from '#firewall';

const hourMs = 3_600_000;

/** How long events of a zone are kept, by plan. */
export const retentionMs: Readonly<Record<Plan, number>> = {
  free: 24 * hourMs,
  pro: 24 * hourMs,
  business: 72 * hourMs,
  enterprise: 30 * 24 * hourMs,
};
