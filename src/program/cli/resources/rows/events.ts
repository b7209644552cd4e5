import { family } from '../resource-row.ts';

/** `events tail`, `events explain` and `events export` are separate commands: their answers have other forms. */
export const eventFamily = family('events', 'The activity log: what rules did to requests, and why.', {
  list: {
    operation: 'security.list',
    columns: 'datetime action clientIP clientRequestHTTPMethodName clientRequestPath source description id',
    limit: 100,
  },
  get: 'security.get',
  summary: { operation: 'security.summarize', tables: { groups: 'count datetime dimensions' } },
  trace: 'security.trace',
  exceptions: { operation: 'security.listExceptions', columns: 'id title effect tried.total' },
  // The id is that of the proposal; the path names its subject.
  except: { operation: 'security.makeException', aliases: { id: 'id' } },
  views: { operation: 'savedViews.list', columns: 'id name created_by search' },
  save: 'savedViews.create',
  unsave: 'savedViews.delete',
});
