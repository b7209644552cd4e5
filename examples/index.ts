/**
 * Two kinds of objects behind a few plain routes; `GET /` lists them. The module runs unmodified on the hosted platform.
 */
import type { DurableObjectNamespace } from '#objects';
import { Counter } from './counter.ts';
import { TodoList } from './todo-list.ts';

export { Counter, TodoList };

interface Env {
  readonly COUNTERS: DurableObjectNamespace<Counter>;
  readonly TODO_LISTS: DurableObjectNamespace<TodoList>;
}

const routes = [
  'GET    /counter/:name',
  'POST   /counter/:name/increment?by=1',
  'DELETE /counter/:name',
  'GET    /todo/:list',
  'PUT    /todo/:list/title           {"title": "Shopping"}',
  'POST   /todo/:list                 {"text": "Buy milk", "remindInSeconds": 5}',
  'POST   /todo/:list/:id/done',
  'DELETE /todo/:list/:id',
  'GET    /todo/:list/bookmark?at=2026-01-31T12:00:00Z',
  'POST   /todo/:list/restore         {"bookmark": "…"}',
];

/** Something the client did wrong, with the status to answer. */
class ClientError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    try {
      const [kind, name, ...rest] = pathParts(url);
      if (kind === '') return Response.json({ routes });
      if (kind === 'counter' && name) return await counter(request, url, env.COUNTERS.getByName(name), rest);
      if (kind === 'todo' && name)
        return await todoList(request, url, () => env.TODO_LISTS.getByName(name), rest);
      throw noRoute(request, url);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return Response.json({ error: error.message }, { status: error.status });
    }
  },
};

function pathParts(url: URL): string[] {
  try {
    return url.pathname.slice(1).split('/').map(decodeURIComponent);
  } catch {
    throw new ClientError(400, 'the path holds a % that does not begin a valid escape');
  }
}

type Stub<Class extends Counter | TodoList> = ReturnType<DurableObjectNamespace<Class>['getByName']>;

async function counter(request: Request, url: URL, stub: Stub<Counter>, rest: string[]): Promise<Response> {
  switch (`${request.method} ${rest.join('/')}`) {
    case 'GET ':
      return Response.json({ value: await stub.value() });
    case 'POST increment': {
      const by = Number(url.searchParams.get('by') ?? 1);
      if (!Number.isSafeInteger(by)) throw new ClientError(400, 'by must be a whole number');
      return Response.json({ value: await stub.increment(by) });
    }
    case 'DELETE ':
      await stub.reset();
      return Response.json({ value: 0 });
    default:
      throw noRoute(request, url);
  }
}

async function todoList(
  request: Request,
  url: URL,
  open: () => Stub<TodoList>,
  rest: string[],
): Promise<Response> {
  const stub = open();
  const id = Number(rest[0]);
  switch (`${request.method} ${rest.map((part) => (/^\d+$/.test(part) ? ':id' : part)).join('/')}`) {
    case 'GET ':
      return Response.json(await stub.read());
    case 'PUT title':
      await stub.rename(textField(await jsonBody(request), 'title'));
      return Response.json(await stub.read());
    case 'POST ':
      return Response.json(await addTodo(request, stub), { status: 201 });
    case 'POST :id/done':
      return Response.json(found(await stub.finish(id)));
    case 'DELETE :id':
      return Response.json({ removed: found(await stub.remove(id)) });
    case 'GET bookmark':
      return Response.json({ bookmark: await bookmark(url, stub) });
    case 'POST restore':
      return Response.json(await restore(request, open));
    default:
      throw noRoute(request, url);
  }
}

async function addTodo(request: Request, stub: Stub<TodoList>): Promise<unknown> {
  const body = await jsonBody(request);
  const text = textField(body, 'text');
  const seconds = body['remindInSeconds'];
  if (seconds === undefined) return stub.add(text, null);
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= 1e9)) {
    throw new ClientError(400, 'remindInSeconds must be a number of seconds, zero or more');
  }
  return stub.add(text, Math.round(Date.now() + seconds * 1000));
}

async function bookmark(url: URL, stub: Stub<TodoList>): Promise<string> {
  const at = url.searchParams.get('at');
  const time = at === null ? undefined : Date.parse(at);
  if (Number.isNaN(time)) throw new ClientError(400, 'at must be a date such as 2026-01-31T12:00:00Z');
  return clientErrors(stub.bookmark(time));
}

/** A restore takes effect when the object starts again, so it is made to; a stub does not outlive that. */
async function restore(request: Request, open: () => Stub<TodoList>): Promise<unknown> {
  const stub = open();
  const target = textField(await jsonBody(request), 'bookmark');
  const undo = await clientErrors(stub.restoreOnRestart(target));
  await stub.restart().catch(() => undefined);
  return { undo, ...(await open().read()) };
}

/** A bookmark comes from the client: what the object says about it is the client's to mend. */
async function clientErrors<Value>(promise: PromiseLike<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (error) {
    throw new ClientError(400, (error as Error).message);
  }
}

async function jsonBody(request: Request): Promise<Record<string, unknown>> {
  const body: unknown = await request.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) throw new ClientError(400, 'the body must be a JSON object');
  return body as Record<string, unknown>;
}

function textField(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '' && value.length <= 1_000) return value;
  throw new ClientError(400, `${name} must be a text of 1 to 1000 characters`);
}

function found<Value>(value: Value | undefined): Value {
  if (value !== undefined && value !== false) return value;
  throw new ClientError(404, 'there is no such item');
}

function noRoute(request: Request, url: URL): ClientError {
  return new ClientError(404, `there is no route ${request.method} ${url.pathname}: GET / lists them`);
}
