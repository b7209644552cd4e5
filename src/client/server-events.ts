/** Server-sent events, read as they come in. Comments, which only show that the stream is alive, are left out. */
export interface ServerEvent {
  /** `message` unless the server says otherwise. */
  readonly event: string;
  readonly data: string;
}

export async function* readServerEvents({ body }: Pick<Response, 'body'>): AsyncGenerator<ServerEvent, void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value as Uint8Array, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop()!;
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    // Whoever stops reading is not sent the rest.
    await reader.cancel();
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}
