/** Following the logs of uploaded Workers. */
import { fault, type InputOf, ok, workerCodes } from '#contract';
import type { TailFilters } from '../../context/worker-host.ts';
import type { ObjectsHandlers } from '../several-objects.ts';
import { requireHost, requireWorker } from './change-worker.ts';

export const tailHandlers: ObjectsHandlers<
  'workers.createTail' | 'workers.listTails' | 'workers.deleteTail'
> = {
  async 'workers.createTail'(context, { path, body, host }) {
    const { tails } = requireHost(context);
    const { worker } = await requireWorker(context, path['script_name']!);
    const made = tails.create(worker.name, readFilters(body ?? {}), context.nowMs);
    if (made === undefined) throw fault(workerCodes.tooManyTails);
    const url = `${host!.replace(/^http/, 'ws')}${made.path}`;
    return ok({ id: made.id, url, expires_at: new Date(made.expiresAtMs).toISOString() });
  },

  async 'workers.listTails'(context, { path }) {
    const { tails } = requireHost(context);
    const { worker } = await requireWorker(context, path['script_name']!);
    return ok(tails.list(worker.name).map((id) => ({ id })));
  },

  async 'workers.deleteTail'(context, { path }) {
    const { tails } = requireHost(context);
    const { worker } = await requireWorker(context, path['script_name']!);
    const id = path['tail_id']!;
    if (tails.list(worker.name).includes(id)) tails.remove(id);
    return ok(null);
  },
};

/** Wrangler sends a list of objects with one filter each. */
function readFilters({ filters = [] }: NonNullable<InputOf<'workers.createTail'>['body']>): TailFilters {
  const last = <Name extends keyof (typeof filters)[number]>(name: Name) =>
    filters.findLast((filter) => filter[name] !== undefined)?.[name];
  return {
    samplingRate: last('sampling_rate'),
    outcomes: last('outcome'),
    methods: last('method'),
    headers: filters.flatMap(({ header }) => header ?? []),
    // `self` is the following client; behind a proxy its address differs, so it filters nothing.
    addresses: last('client_ip')?.includes('self') === true ? undefined : last('client_ip'),
    query: last('query'),
    version: last('scriptVersion'),
  };
}
