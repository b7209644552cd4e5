import { family } from '../resource-row.ts';

export const zoneFamily = family('zones', 'Sites: plan, origin, settings, copies of their configuration.', {
  list: { operation: 'zones.list', columns: 'name plan.legacy_id paused id created_on' },
  get: 'zones.get',
  create: 'zones.create',
  update: { operation: 'zones.edit', aliases: { plan: 'plan.legacy_id' } },
  delete: {
    operation: 'zones.delete',
    danger: 'the zone and everything in it are deleted; only its audit log stays',
  },
  plans: { operation: 'zones.listPlans', columns: 'legacy_id name is_subscribed id' },
  edge: 'edge.get',
  'set-edge': {
    operation: 'edge.update',
    aliases: { 'origin-url': 'origin.url' },
    current: { operation: 'edge.get' },
  },
  settings: { operation: 'settings.list', columns: 'id value editable' },
  setting: 'settings.get',
  'set-setting': 'settings.edit',
  normalization: 'urlNormalization.get',
  'set-normalization': {
    operation: 'urlNormalization.update',
    current: { operation: 'urlNormalization.get' },
  },
  'reset-normalization': 'urlNormalization.delete',
  certificates: { operation: 'customCertificates.list', columns: 'id hosts status expires_on issuer' },
  'universal-ssl': 'universalSsl.get',
  'set-universal-ssl': 'universalSsl.edit',
  'certificate-packs': {
    operation: 'certificatePacks.list',
    columns: 'id hosts status renews_on next_attempt_on certificate_authority',
  },
  'certificate-pack': 'certificatePacks.get',
  export: { operation: 'bundle.export', isDocument: true },
  import: { operation: 'bundle.import', isDocument: true },
});
