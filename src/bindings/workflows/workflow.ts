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

  /** Those whose id was there already are left out, as documented. */
  async createBatch(batch: readonly CreateOptions[]): Promise<WorkflowInstance[]> {
    if (batch.length === 0)
      throw createStepError('WorkflowError: batchCreate should have at least 1 instance');
    if (batch.length > workflowBatchMax)
      throw createStepError(
        `WorkflowError: batchCreate takes at most ${workflowBatchMax} instances: ${batch.length}`,
      );
    const created = await Promise.all(batch.map((options) => this.#create(options)));
    return created.filter((instance) => instance !== undefined);
  }

  async get(id: string): Promise<WorkflowInstance> {
    const instance = new WorkflowInstance(String(id), this.#open);
    await instance.status();
    return instance;
  }

  /** Undefined if the id is there already. */
  async #create({ id = randomUUID(), params = {} }: CreateOptions): Promise<WorkflowInstance | undefined> {
    if (typeof id !== 'string' || id.length > workflowIdMax || !/^\w[\w-]*$/.test(id))
      throw createStepError('Workflow instance has invalid id');
    return (await this.#open(id).create(params)) ? new WorkflowInstance(id, this.#open) : undefined;
  }
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

  async terminate(): Promise<void> {
    await this.#open(this.id).terminate();
  }

  async restart(options?: { readonly from?: RestartFrom }): Promise<void> {
    await this.#open(this.id).restart(options?.from);
  }

  async sendEvent({ type, payload }: { readonly type: string; readonly payload?: unknown }): Promise<void> {
    await this.#open(this.id).sendEvent(type, payload);
  }
}
