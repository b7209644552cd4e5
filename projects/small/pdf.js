import { PDFDocument, StandardFonts } from 'pdf-lib';

export default {
  async fetch(request) {
    const document = await PDFDocument.create();
    document.setCreationDate(new Date(0));
    document.setModificationDate(new Date(0));
    const page = document.addPage([200, 100]);
    page.drawText(new URL(request.url).pathname, {
      font: await document.embedFont(StandardFonts.Helvetica),
      size: 12,
    });
    return new Response(await document.save(), { headers: { 'content-type': 'application/pdf' } });
  },
};
