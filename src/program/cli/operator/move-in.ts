/** `gatehouse objects move-in`: moves the objects of a standalone Worker to an uploaded one. */
import { resolve } from 'node:path';
import { type Command, CommandError, exitCodes } from '../command.ts';
import { directoryOptions, printRow, withAccess } from './directory.ts';

export const moveInCommand: Command = {
  name: 'objects move-in',
  parameters: '<directory> <worker>',
  summary:
    'Take the Durable Objects of a Worker that was run by itself over into one that was uploaded to a server, which must be running.',
  details: `directory is the data directory that gatehouse run or gatehouse dev had, on this machine and readable for the user of the
server; the Worker of it must be stopped, and nothing in it is changed. worker is the name of the uploaded one, which must be
deployed with the same classes and migrations. Its requests wait meanwhile. Objects keep their ids, names and alarms, not
their histories. Printed are the class, its name at the uploaded Worker, how many objects were taken over and how many it had
already: those stay as they are, so a run that was interrupted is repeated.

gatehouse stores move-in does the same for KV, D1, R2 and queues.`,
  options: {
    ...directoryOptions,
    data: { value: 'DIRECTORY', help: 'data directory of gatehouse serve (./data)' },
  },
  async run(args) {
    const [directory, name] = args.positionals as [string, string];
    const problems = await withAccess(args, 'change', async ({ client, isLive }, { show: onProgress }) => {
      if (!isLive) throw new CommandError('gatehouse serve does not run on this data directory: start it');
      const input = { name, body: { directory: resolve(directory) }, onProgress };
      const found: string[] = [];
      for await (const { class: className, to, taken, present, problem } of client.lines(
        'POST',
        '/workers/{name}/objects',
        input,
      )) {
        if (problem === undefined) printRow(args, { class: className, to, taken, present });
        else found.push(`${className}: ${problem}`);
      }
      return found;
    });
    if (problems.length === 0) return exitCodes.success;
    throw new CommandError(`not taken over: ${problems.join('; ')}`, { exitCode: exitCodes.refused });
  },
};
