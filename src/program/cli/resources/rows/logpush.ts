import { family } from '../resource-row.ts';

export const logpushFamily = family(
  'logpush',
  'Destinations for records of a zone as they happen: HTTP, syslog, files.',
  {
    list: {
      operation: 'logpush.list',
      columns:
        'id dataset enabled destination_conf delivery.sent_records delivery.buffered_records delivery.dropped_records error_message',
    },
    get: 'logpush.get',
    create: 'logpush.create',
    update: 'logpush.update',
    delete: 'logpush.delete',
    fields: 'logpush.fields',
  },
);
