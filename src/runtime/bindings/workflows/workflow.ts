/** `env.WORKFLOW`: a workflow, as code of a Worker sees it, and a handle of one of its instances. */
import { randomUUID } from 'node:crypto';
import type { DurableObjectStub } from '#objects';
import { workflowBatchMax, workflowIdMax } from '../limits.ts';
import { createStepError } from './workflow-errors.ts';
import type { InstanceStatus, RestartFrom, WorkflowObject } from './workflow-object.ts';

type OpenInstance = (id: string) => DurableObjectStub<WorkflowObject>;

interface CreateOptions {
  readonly id?: string;
  readonly params?: unknown;
}

interface BatchOptions {
  readonly count?: number;
  readonly params?: unknown;
  readonly instances?: readonly CreateOptions[];
}

interface DeleteError {
  readonly id: string;
  readonly code: number;
  readonly message: string;
}

interface BatchError extends DeleteError {
  readonly index: number;
}

interface BatchResult {
  readonly created: readonly WorkflowInstance[];
  readonly errors: readonly BatchError[];
}

/** Cloudflare's texts. */
const batchErrors = {
  duplicateInBatch: { code: 10_415, message: 'workflows.api.error.instance.duplicate_in_batch' },
  alreadyExists: { code: 10_405, message: 'workflows.api.error.instance.already_exists' },
  notFound: { code: 10_400, message: 'workflows.api.error.instance.not_found' },
} as const;

export class Workflow {
  readonly #open: OpenInstance;

  constructor(open: OpenInstance) {
    this.#open = open;
  }

  async create(options: CreateOptions = {}): Promise<WorkflowInstance> {
    const instance = await this.#create(options);
    if (instance === undefined)
      throw createStepError('WorkflowError: (instance.already_exists) Instance already exists');
    return instance;
  }

  /** Instances whose id existed already are omitted from the result, as documented; the newer form reports them. */
  createBatch(batch: readonly CreateOptions[]): Promise<WorkflowInstance[]>;
  createBatch(batch: BatchOptions): Promise<BatchResult>;
  async createBatch(
    batch: readonly CreateOptions[] | BatchOptions,
  ): Promise<WorkflowInstance[] | BatchResult> {
    if (!Array.isArray(batch)) return await this.#createReported(readBatch(batch as BatchOptions));
    if (batch.length === 0)
      throw createStepError('WorkflowError: batchCreate should have at least 1 instance');
    if (batch.length > workflowBatchMax)
      throw createStepError(
        `WorkflowError: batchCreate takes at most ${workflowBatchMax} instances: ${batch.length}`,
      );
    const created = await Promise.all(
      (batch as readonly CreateOptions[]).map((options) => this.#create(options)),
    );
    return created.filter((instance) => instance !== undefined);
  }

  async #createReported(batch: readonly CreateOptions[]): Promise<BatchResult> {
    const created: WorkflowInstance[] = [];
    const errors: BatchError[] = [];
    const ids = new Set<string>();
    for (const { id } of batch) checkId(id ?? '_');
    const found = await Promise.all(
      batch.map(async (options) => {
        const { id } = options;
        const isSecond = id !== undefined && ids.size === ids.add(id).size;
        return isSecond ? 'duplicateInBatch' : ((await this.#create(options)) ?? 'alreadyExists');
      }),
    );
    for (const [index, instance] of found.entries()) {
      if (typeof instance === 'string')
        errors.push({ index, id: batch[index]!.id!, ...batchErrors[instance] });
      else created.push(instance);
    }
    return { created, errors };
  }

  /** One result for each given id, even for duplicates. */
  async deleteBatch(ids: readonly string[]): Promise<{ deleted: { id: string }[]; errors: DeleteError[] }> {
    if (!Array.isArray(ids) || ids.length === 0)
      throw createStepError('WorkflowError: (body) batchDeleteInstances should have at least 1 instance');
    if (ids.length > workflowBatchMax)
      throw createStepError(
        `WorkflowError: (body) batchDeleteInstances only supports ${workflowBatchMax} instances at a time`,
      );
    const wasThere = new Map<string, boolean>(
      await Promise.all(
        Array.from(
          new Set(ids.map(String)),
          async (id) => [id, await this.#open(id).removeIfThere()] as const,
        ),
      ),
    );
    const all = ids.map(String);
    return {
      deleted: all.filter((id) => wasThere.get(id)).map((id) => ({ id })),
      errors: all.filter((id) => !wasThere.get(id)).map((id) => ({ id, ...batchErrors.notFound })),
    };
  }

  async get(id: string): Promise<WorkflowInstance> {
    const instance = new WorkflowInstance(String(id), this.#open);
    await instance.status();
    return instance;
  }

  /** Undefined if the id exists already. */
  async #create({ id = randomUUID(), params = {} }: CreateOptions): Promise<WorkflowInstance | undefined> {
    checkId(id);
    return (await this.#open(id).create(params)) ? new WorkflowInstance(id, this.#open) : undefined;
  }
}

function checkId(id: unknown): void {
  if (typeof id !== 'string' || id.length > workflowIdMax || !/^\w[\w-]*$/.test(id))
    throw createStepError('Workflow instance has invalid id');
}

/** The instances requested in the newer form: a number of identical ones, or each with its options. */
function readBatch(batch: BatchOptions): readonly CreateOptions[] {
  const refuse = (why: string): Error => createStepError(`WorkflowError: (body) ${why}`);
  const { count, instances, params } = batch ?? {};
  if (count === undefined && !Array.isArray(instances)) throw refuse('Provided argument is invalid');
  if (count !== undefined && !(Number.isInteger(count) && count > 0))
    throw refuse('count must be a positive integer');
  const size = count ?? instances!.length;
  if (size === 0) throw refuse('batchCreate should have at least 1 instance');
  if (size > workflowBatchMax)
    throw refuse(`batchCreate only supports ${workflowBatchMax} instances at a time`);
  return instances ?? Array.from({ length: size }, () => (params === undefined ? {} : { params }));
}

class WorkflowInstance {
  readonly id: string;
  readonly #open: OpenInstance;

  constructor(id: string, open: OpenInstance) {
    this.id = id;
    this.#open = open;
  }

  async status(): Promise<InstanceStatus> {
    return await this.#open(this.id).status();
  }

  async pause(): Promise<void> {
    await this.#open(this.id).pause();
  }

  async resume(): Promise<void> {
    await this.#open(this.id).resume();
  }

  async terminate(options?: { readonly rollback?: boolean }): Promise<void> {
    await this.#open(this.id).terminate({ rollback: options?.rollback === true });
  }

  async delete(): Promise<void> {
    await this.#open(this.id).remove();
  }

  /** Refused with an explanation: a program calls `status()` instead. */
  async subscribe(): Promise<never> {
    throw createStepError('subscribe() of a workflow instance is not available here: ask status() instead');
  }

  async restart(options?: { readonly from?: RestartFrom }): Promise<void> {
    await this.#open(this.id).restart(options?.from);
  }

  async sendEvent({ type, payload }: { readonly type: string; readonly payload?: unknown }): Promise<void> {
    await this.#open(this.id).sendEvent(type, payload);
  }
}
