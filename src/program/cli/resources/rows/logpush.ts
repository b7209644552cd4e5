import type { ResourceFamily } from '../resource-row.ts';

export const logpushFamily: ResourceFamily = {
  summary: 'Destinations for records of a zone as they happen: HTTP, syslog, files.',
  rows: [
    {
      name: 'logpush list',
      operation: 'logpush.list',
      columns: [
        'id',
        'dataset',
        'enabled',
        'destination_conf',
        'delivery.sent_records',
        'delivery.buffered_records',
        'delivery.dropped_records',
        'error_message',
      ],
    },
    { name: 'logpush get', operation: 'logpush.get' },
    { name: 'logpush create', operation: 'logpush.create' },
    { name: 'logpush update', operation: 'logpush.update' },
    { name: 'logpush delete', operation: 'logpush.delete' },
    { name: 'logpush fields', operation: 'logpush.fields' },
  ],
};
