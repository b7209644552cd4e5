import { createWorker } from './answer.js';
import { clients } from './built-in-clients.js';
import * as packages from './package-clients.js';
import { socketClients, ways } from './ways-out.js';

const { Place, worker } = createWorker({
  address: { ...clients, ...packages.clients },
  socket: { ...socketClients, ...packages.socketClients },
  way: ways,
});
export { Place };
export default worker;
