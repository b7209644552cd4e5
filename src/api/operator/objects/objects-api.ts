/**
 * The API of a program that only has objects: the rows of `objects`, and the one account in their paths. There is one
 * user, the owner of the link that the program prints; sessions last as long as the process.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { describeDiskRefusal, diskRefusalOf } from '#files';
import {
  accountOperations,
  apiPath,
  type ApiRequest,
  type ApiResponse,
  authCodes,
  createNotRouted,
  csrfHeader,
  Fault,
  fault,
  type FoundSession,
  genericCodes,
  type Input,
  isCsrfToken,
  objectCodes,
  objectOperations,
  ok,
  type OpenedSession,
  type PlainReply,
  readInput,
  type Reply,
  Router,
  Sessions,
  splitTarget,
  storyOperations,
  toHttpResponse,
  writeFault,
  writeReply,
  type WrittenResponse,
  createRequestId,
} from '#contract';
import type { ObjectRuntime } from '#objects';
import { createOwnerPolicy } from './owner-policy.ts';
import { inspectionHandlers } from './handlers.ts';
import type { Inspection } from './inspection.ts';
import type { StoryFiles } from '../story-files.ts';

const { 'accounts.list': listAccounts } = accountOperations;
const operations = { ...objectOperations, ...storyOperations, 'accounts.list': listAccounts };
const router = new Router<keyof typeof operations>(operations);

const account = { id: '0'.repeat(32), name: 'Objects of this Worker', type: 'standard' };

export interface ObjectsApiOptions {
  readonly runtime: ObjectRuntime;
  /** Stories of simulations in the same project. */
  readonly stories: StoryFiles;
  /** The name of the session cookie: other programs on this machine have theirs for the same host. */
  readonly cookie: string;
  readonly now: () => number;
  /** Receives internal errors, with the request id that the client got. */
  readonly onError: (error: unknown, requestId: string) => void;
}

export class ObjectsApi {
  readonly #inspection: Inspection;
  readonly #sessions: Sessions<'owner'>;
  readonly #token = randomBytes(30).toString('base64url');
  readonly #options: ObjectsApiOptions;

  constructor(options: ObjectsApiOptions) {
    this.#options = options;
    this.#inspection = { runtime: options.runtime, policy: createOwnerPolicy() };
    this.#sessions = new Sessions({ cookie: options.cookie });
  }

  /** The headers of a request with all permissions. */
  get credentials(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#token}` };
  }

  async answer(request: ApiRequest): Promise<ApiResponse> {
    const requestId = createRequestId();
    const headers: Record<string, string> = { 'cf-ray': requestId, 'cache-control': 'no-store' };
    try {
      return toHttpResponse(await this.#answer(request, headers), headers);
    } catch (error) {
      if (!(error instanceof Fault)) this.#options.onError(error, requestId);
      return toHttpResponse(writeFault(error instanceof Fault ? error : explain(error, requestId)), headers);
    }
  }

  async openSession({ headers }: Pick<ApiRequest, 'headers'>): Promise<OpenedSession> {
    if (!this.#hasToken(headers)) throw fault(authCodes.tokenUnknown);
    return await this.#sessions.open('owner', this.#options.now());
  }

  findSession(headers: ApiRequest['headers']): FoundSession<'owner'> | undefined {
    return this.#sessions.find(headers, this.#options.now());
  }

  async closeSession({ hash }: FoundSession<'owner'>): Promise<void> {
    await this.#sessions.close(hash);
  }

  async #answer(request: ApiRequest, headers: Record<string, string>): Promise<WrittenResponse | PlainReply> {
    const { path, query } = splitTarget(request.target);
    const route = router.find(request.method, path.slice(apiPath.length));
    if (!path.startsWith(`${apiPath}/`) || route.kind === 'none') throw createNotRouted(path);
    if (route.kind === 'wrong-method') {
      headers['allow'] = route.allowed.join(', ');
      throw fault(genericCodes.methodNotAllowed);
    }
    this.#authenticate(request.headers);
    if (route.path['account_id'] !== undefined && route.path['account_id'] !== account.id)
      throw fault(genericCodes.accountNotFound);
    const input = await readInput(route.operation, { request, path: route.path, query });
    const reply = await this.#handle(route.id, input);
    return reply.kind === 'plain' ? reply : writeReply(reply, []);
  }

  async #handle(id: keyof typeof operations, input: Input): Promise<Reply | PlainReply> {
    switch (id) {
      case 'accounts.list':
        return ok([account]);
      case 'stories.list':
        return ok(this.#options.stories.list());
      case 'stories.get': {
        const story = this.#options.stories.find(input.path['story']!);
        if (story === undefined) throw fault(objectCodes.storyNotFound);
        return ok(story);
      }
      default:
        return await inspectionHandlers[id](this.#inspection, input as never);
    }
  }

  /** A browser attaches the cookie whether or not the page meant it: only the CSRF token proves that. */
  #authenticate(headers: ApiRequest['headers']): void {
    if (headers['authorization'] !== undefined) {
      if (this.#hasToken(headers)) return;
      throw fault(authCodes.tokenUnknown);
    }
    if (!this.#sessions.hasCookie(headers)) throw fault(authCodes.credentialsMissing);
    const session = this.findSession(headers);
    if (session === undefined || !isCsrfToken(headers[csrfHeader], session.csrfToken))
      throw fault(authCodes.sessionEnded);
  }

  #hasToken({ authorization }: ApiRequest['headers']): boolean {
    const [given, expected] = [String(authorization), `Bearer ${this.#token}`].map((text) =>
      Buffer.from(text),
    );
    return given!.length === expected!.length && timingSafeEqual(given!, expected!);
  }
}

function explain(error: unknown, requestId: string): Fault {
  const refused = diskRefusalOf(error);
  if (refused === 'away')
    return fault(genericCodes.unavailable, {
      fill: { state: 'waiting for its database, which does not answer' },
    });
  return refused === undefined
    ? fault(genericCodes.internal, { fill: { request: requestId } })
    : fault(genericCodes.writesRefused, { fill: { reason: describeDiskRefusal(refused) } });
}
