import JSZip from 'jszip';

export default {
  async fetch(request) {
    const zip = new JSZip();
    zip.file('a.txt', new URL(request.url).pathname, { date: new Date(0) });
    const bytes = await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
    const back = await JSZip.loadAsync(bytes);
    return Response.json({ length: bytes.length, text: await back.file('a.txt').async('string') });
  },
};
