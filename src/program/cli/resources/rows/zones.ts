import type { ResourceFamily } from '../resource-row.ts';

export const zoneFamily: ResourceFamily = {
  summary: 'Sites: plan, origin, settings, copies of their configuration.',
  rows: [
    {
      name: 'zones list',
      operation: 'zones.list',
      columns: ['name', 'plan.legacy_id', 'paused', 'id', 'created_on'],
    },
    { name: 'zones get', operation: 'zones.get' },
    { name: 'zones create', operation: 'zones.create' },
    {
      name: 'zones update',
      operation: 'zones.edit',
      aliases: { plan: 'plan.legacy_id' },
    },
    {
      name: 'zones delete',
      operation: 'zones.delete',
      danger: 'the zone and everything in it are deleted; only its audit log stays',
    },
    {
      name: 'zones plans',
      operation: 'zones.listPlans',
      columns: ['legacy_id', 'name', 'is_subscribed', 'id'],
    },
    { name: 'zones edge', operation: 'edge.get' },
    {
      name: 'zones set-edge',
      operation: 'edge.update',
      aliases: { 'origin-url': 'origin.url' },
      current: { operation: 'edge.get' },
    },
    { name: 'zones settings', operation: 'settings.list', columns: ['id', 'value', 'editable'] },
    { name: 'zones setting', operation: 'settings.get' },
    { name: 'zones set-setting', operation: 'settings.edit' },
    { name: 'zones normalization', operation: 'urlNormalization.get' },
    {
      name: 'zones set-normalization',
      operation: 'urlNormalization.update',
      current: { operation: 'urlNormalization.get' },
    },
    { name: 'zones reset-normalization', operation: 'urlNormalization.delete' },
    {
      name: 'zones certificates',
      operation: 'customCertificates.list',
      columns: ['id', 'hosts', 'status', 'expires_on', 'issuer'],
    },
    { name: 'zones universal-ssl', operation: 'universalSsl.get' },
    { name: 'zones set-universal-ssl', operation: 'universalSsl.edit' },
    {
      name: 'zones certificate-packs',
      operation: 'certificatePacks.list',
      columns: ['id', 'hosts', 'status', 'renews_on', 'next_attempt_on', 'certificate_authority'],
    },
    { name: 'zones certificate-pack', operation: 'certificatePacks.get' },
    { name: 'zones export', operation: 'bundle.export', isDocument: true },
    { name: 'zones import', operation: 'bundle.import', isDocument: true },
  ],
};
