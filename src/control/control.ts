/** The control plane over one directory of objects: opens it, founds the account, answers requests. */
import { createRuntime, type Runtime, type RuntimeOptions } from '#objects';
import type { ApiAnswer, ApiRequest } from '#v4';
import { Account, type Founded, type Founding } from './account/account.ts';
import { Dispatcher } from './api/dispatcher.ts';
import { ApiFront } from './api/front.ts';
import { type ControlEnvironment, type Directory, emptyDirectory } from './directory.ts';
import { Zone } from './zone/zone.ts';

export interface ControlOptions extends Pick<RuntimeOptions, 'directory' | 'durability' | 'clock' | 'log'> {
  readonly founding: Founding;
  readonly onError: (error: unknown, requestId: string) => void;
}

export class Control {
  readonly runtime: Runtime;
  /** What was made at the first start, with its secrets; nothing at later ones. */
  readonly founded: Founded | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #front: ApiFront;

  private constructor(
    runtime: Runtime,
    dispatcher: Dispatcher,
    options: ControlOptions,
    founded: Founded | undefined,
  ) {
    this.runtime = runtime;
    this.founded = founded;
    this.#dispatcher = dispatcher;
    this.#front = new ApiFront({ dispatcher, onError: options.onError });
  }

  static async open(options: ControlOptions): Promise<Control> {
    const environment: ControlEnvironment = { directory: emptyDirectory };
    const { founding, onError: _, ...runtimeOptions } = options;
    const runtime = await createRuntime({
      ...runtimeOptions,
      env: environment,
      classes: { Account: { class: Account, storage: 'sql' }, Zone: { class: Zone, storage: 'sql' } },
    });
    const dispatcher = new Dispatcher(runtime, environment);
    const founded = await dispatcher.account.found(founding);
    await dispatcher.refresh();
    return new Control(runtime, dispatcher, options, founded);
  }

  get directory(): Directory {
    return this.#dispatcher.directory;
  }

  answer(request: ApiRequest): Promise<ApiAnswer> {
    return this.#front.answer(request);
  }

  close(): Promise<void> {
    return this.runtime.close();
  }
}
