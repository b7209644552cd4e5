/** The answer to a client that violates the protocol: the code of RFC 6455 and the text of workerd. */
import { messageBytesMax } from '../limits.ts';

interface Violation {
  readonly code: number;
  readonly description: string;
}

/** `messageBytes` is the size of the message that was being read, as far as it is known. */
export function describeViolation(error: NodeJS.ErrnoException, messageBytes: number): Violation {
  switch (error.code) {
    case 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH':
    case 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH':
    case 'ERR_BUFFER_TOO_LARGE':
      return { code: 1009, description: tooLarge(messageBytes) };
    case 'WS_ERR_TOO_MANY_BUFFERED_PARTS':
      return { code: 1008, description: 'Message has too many fragments' };
    case 'WS_ERR_INVALID_OPCODE':
      return { code: 1002, description: opcodeText(error.message) };
    case 'WS_ERR_EXPECTED_FIN':
      return { code: 1002, description: 'Received fragmented control frame' };
    case 'WS_ERR_UNEXPECTED_RSV_1':
    case 'WS_ERR_UNEXPECTED_RSV_2_3':
      return { code: 1002, description: 'Received frame had RSV bits 1-3 set' };
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return { code: 1007, description: 'Message cannot be decompressed' };
    default:
      return { code: 1002, description: error.message.replace(/^Invalid WebSocket frame: /, '') };
  }
}

function tooLarge(bytes: number): string {
  return bytes > messageBytesMax
    ? `Message is too large: ${bytes} > ${messageBytesMax}`
    : `Message is too large: its size is over ${messageBytesMax}`;
}

function opcodeText(message: string): string {
  const opcode = Number(/\d+$/.exec(message)?.[0]);
  if (opcode === 0) return 'Unexpected continuation frame';
  return opcode <= 2 ? 'Missing continuation frame' : `Unknown opcode ${opcode}`;
}
