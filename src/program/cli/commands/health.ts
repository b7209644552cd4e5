/** `gatehouse health`: whether a server on this machine is ready, for container engines and scripts without curl. */
import { type OutboundAnswer, operatorRules, sendRequest } from '#outbound';
import { readConfig } from '#server';
import { type Command, CommandError, exitCodes } from '../command.ts';

/** Longer than a busy server takes, shorter than the timeouts of callers. */
const answerMsMax = 4_000;
const answerBytesMax = 64 * 1024;

export const healthCommand: Command = {
  name: 'health',
  parameters: '',
  summary:
    'Check whether a server on this machine is ready, through its admin port. Exit code 1 if it is not.',
  options: {
    'admin-port': { value: 'PORT', help: 'its admin_port (default: GATEHOUSE_ADMIN_PORT)' },
  },
  async run({ values }) {
    const { settings } = readConfig({
      flags: values,
      file: undefined,
      environment: process.env,
      directory: process.cwd(),
    });
    const { adminPort } = settings;
    if (adminPort === 'off')
      throw new CommandError(
        'no admin port is set: start the server with --admin-port, and give the same port here',
      );
    const answer = await ask(`http://127.0.0.1:${adminPort}/readyz`);
    process.stdout.write(`${answer.body.toString().trim()}\n`);
    return answer.status === 200 ? exitCodes.success : exitCodes.failure;
  },
};

async function ask(url: string): Promise<OutboundAnswer> {
  try {
    return await sendRequest({ url, rules: operatorRules, timeoutMs: answerMsMax, bytesMax: answerBytesMax });
  } catch (error) {
    throw new CommandError(`no server answers at ${url}: ${(error as Error).message}`, { cause: error });
  }
}
