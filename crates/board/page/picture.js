// Copies the position that is shown as a picture.

/** Draws an SVG into a PNG. @param {string} svg @returns {Promise<Blob>} */
export async function png(svg) {
  const image = new Image(),
    source = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('no picture'))));
    });
  } finally {
    URL.revokeObjectURL(source);
  }
}

/** Puts a picture on the clipboard; false where the browser does not let us. @param {Promise<string>} svg */
export async function copyPicture(svg) {
  try {
    // The promise goes into the item: some browsers want the item at once after the click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': svg.then(png) })]);
    return true;
  } catch {
    return false;
  }
}
