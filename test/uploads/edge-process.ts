/** An edge in a separate process, with a protected site, so that its memory and CPU time can be measured. */
import { ServedEdge } from '../edge/served-edge.ts';

export interface EdgeReport {
  readonly cpuMs: number;
  /** The maximum resident memory since the previous report. */
  readonly rssMax: number;
}

export interface EdgeAddress {
  readonly port: number;
  readonly host: string;
}

const [origin = '', inspectionBytes = ''] = process.argv.slice(2);

await using served = await ServedEdge.open({ limits: { inspectionBytesMax: Number(inspectionBytes) } });
await served.do(`POST /zones/${served.control.zone('enterprise')}/protection`, { origin: { url: origin } });
let rssMax = 0;
const look = (): void => {
  rssMax = Math.max(rssMax, process.memoryUsage.rss());
};
const looks = setInterval(look, 20);
process.on('message', () => {
  look();
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMs: (user + system) / 1_000, rssMax } satisfies EdgeReport);
  rssMax = 0;
});
process.send!({ port: served.port, host: served.host('enterprise') } satisfies EdgeAddress);
await new Promise<void>((resolve) => process.on('disconnect', resolve));
clearInterval(looks);
