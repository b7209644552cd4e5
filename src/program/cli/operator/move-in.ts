/** `gatehouse objects move-in`: moves the objects of a standalone Worker to an uploaded one. */
import { resolve } from 'node:path';
import { type Command, CommandError, exitCodes } from '../command.ts';
import { directoryOptions, printRow, withAccess } from './directory.ts';

export const moveInCommand: Command = {
  name: 'objects move-in',
  parameters: '<directory> <worker>',
  summary:
    'Copy the Durable Objects of a standalone Worker into a Worker that was uploaded to a server, which must be running.',
  details: `directory is the data directory of gatehouse run or gatehouse dev, on this machine and readable by the user of the server.
Stop its Worker first; the directory is not changed. worker is the name of the uploaded Worker, which must be deployed with
the same classes and migrations. Its requests wait until the copy is complete. Objects keep their ids, names and alarms, but
not their histories. The output has the class, its name in the uploaded Worker, how many objects were copied and how many it
already had: those stay as they are, so an interrupted run can be repeated. gatehouse stores move-in does the same for KV,
D1, R2 and queues.`,
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
    throw new CommandError(`not copied: ${problems.join('; ')}`, { exitCode: exitCodes.refused });
  },
};
