import { waitForPredecessor } from '#base';
import { BoundSocket } from '#processes';
import { createListenError } from './cannot-listen.ts';
import type { SettingName } from '../config/settings.ts';

interface WantedSocket {
  /** The setting of its port. */
  readonly setting: SettingName;
  readonly host: string;
  readonly port: number;
}

/** Binds the sockets of an edge, all or none. */
export async function bindListeners(listeners: readonly WantedSocket[]): Promise<BoundSocket[]> {
  const sockets: BoundSocket[] = [];
  try {
    for (const listener of listeners) {
      sockets.push(
        await waitForPredecessor(() => BoundSocket.bind(listener)).catch((error: NodeJS.ErrnoException) => {
          throw createListenError(listener.setting, listener, error);
        }),
      );
    }
    return sockets;
  } catch (error) {
    for (const socket of sockets) socket.close();
    throw error;
  }
}
