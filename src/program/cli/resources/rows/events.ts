import type { ResourceFamily } from '../resource-row.ts';

/** `events tail`, `events explain` and `events export` are separate commands: their answers have other forms. */
export const eventFamily: ResourceFamily = {
  summary: 'The activity log: what rules did to requests, and why.',
  rows: [
    {
      name: 'events list',
      operation: 'security.list',
      columns: [
        'datetime',
        'action',
        'clientIP',
        'clientRequestHTTPMethodName',
        'clientRequestPath',
        'source',
        'description',
        'id',
      ],
      limit: 100,
    },
    { name: 'events get', operation: 'security.get' },
    {
      name: 'events summary',
      operation: 'security.summarize',
      tables: { groups: ['count', 'datetime', 'dimensions'] },
    },
    { name: 'events trace', operation: 'security.trace' },
    {
      name: 'events exceptions',
      operation: 'security.listExceptions',
      columns: ['id', 'title', 'effect', 'tried.total'],
    },
    // The id is that of the proposal; the path names its subject.
    { name: 'events except', operation: 'security.makeException', aliases: { id: 'id' } },
    { name: 'events views', operation: 'savedViews.list', columns: ['id', 'name', 'created_by', 'search'] },
    { name: 'events save', operation: 'savedViews.create' },
    { name: 'events unsave', operation: 'savedViews.delete' },
  ],
};
