// Browsers do not start workers from files. If the site is opened from a directory, this class runs the worker of the
// search in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.frame.title = "search"
      document.body.appendChild(this.frame)
      const inside = this.frame.contentWindow
      window.addEventListener("message", event => {
        if (event.source !== inside) return
        const copy = new MessageEvent("message", { data: event.data })
        this.dispatchEvent(copy)
        if (this.onmessage) this.onmessage(copy)
      })
      this.ready = new Promise(resolve => {
        inside.document.open()
        inside.document.write(
          "<script>postMessage = data => parent.postMessage(data, '*');"
          + "importScripts = (...list) => list.reduce((last, address) => last.then(() => new Promise(done => {"
          + "const script = document.createElement('script'); script.src = address; script.onload = done;"
          + "document.body.appendChild(script) })), Promise.resolve())<" + "/script><body></body>")
        inside.document.close()
        const script = inside.document.createElement("script")
        script.src = new URL(address, location.href).href
        script.onload = resolve
        inside.document.body.appendChild(script)
      })
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
