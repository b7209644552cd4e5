/** `navigator`, by which code detects that it runs in a Worker. */
import { wrongType } from '#base';

class Navigator {
  get userAgent(): string {
    return 'Cloudflare-Workers';
  }

  get language(): string {
    return 'en';
  }

  get languages(): readonly string[] {
    return ['en'];
  }

  get hardwareConcurrency(): number {
    return 1;
  }

  /** Sends in the background; returns whether the request was accepted. */
  sendBeacon(url: string, data?: RequestInit['body']): boolean {
    if (arguments.length === 0) throw wrongType({ method: 'sendBeacon', face: 'Navigator' }, 1, 'string');
    if (!URL.canParse(url)) return false;
    globalThis
      .fetch(url, { method: 'POST', ...(data === undefined ? {} : { body: data }) })
      .then((response) => response.body?.cancel())
      .catch(() => {});
    return true;
  }
}

export const navigator = new Navigator();
export { Navigator };
