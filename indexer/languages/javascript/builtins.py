"""Names that are there without being bound: the language's globals, browsers' and Node's."""

from __future__ import annotations

LANGUAGE = frozenset(
    "globalThis undefined NaN Infinity Object Function Boolean Symbol Error AggregateError EvalError RangeError "
    "ReferenceError SyntaxError TypeError URIError Number BigInt Math Date String RegExp Array Int8Array Uint8Array "
    "Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array "
    "Float32Array Float64Array Map Set WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer "
    "DataView Atomics JSON Iterator Promise GeneratorFunction AsyncGeneratorFunction Generator AsyncGenerator "
    "AsyncFunction Reflect Proxy Intl Temporal eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent "
    "encodeURI encodeURIComponent escape unescape arguments import new WebAssembly AsyncIterator SuppressedError "
    "DisposableStack AsyncDisposableStack".split()
)

SHARED = frozenset(
    "console setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask "
    "structuredClone fetch Headers Request Response FormData Blob File URL URLSearchParams AbortController AbortSignal "
    "Event EventTarget CustomEvent MessageChannel MessagePort MessageEvent TextEncoder TextDecoder TextEncoderStream "
    "TextDecoderStream ReadableStream WritableStream TransformStream CompressionStream DecompressionStream "
    "ByteLengthQueuingStrategy CountQueuingStrategy performance PerformanceObserver PerformanceEntry crypto Crypto "
    "CryptoKey SubtleCrypto btoa atob DOMException BroadcastChannel WebSocket EventSource navigator Navigator "
    "localStorage sessionStorage Storage reportError ReadableStreamDefaultReader ReadableStreamDefaultController".split()
)

NODE = frozenset("process require module exports __dirname __filename Buffer global NodeJS".split())

BROWSER = frozenset(
    "window self document location history screen frames parent top opener origin name status closed alert confirm "
    "prompt print open close stop focus blur find getComputedStyle getSelection matchMedia requestAnimationFrame "
    "cancelAnimationFrame requestIdleCallback cancelIdleCallback addEventListener removeEventListener dispatchEvent "
    "postMessage scroll scrollTo scrollBy scrollX scrollY pageXOffset pageYOffset innerWidth innerHeight outerWidth "
    "outerHeight devicePixelRatio visualViewport customElements caches indexedDB importScripts onmessage onerror "
    "trustedTypes cookieStore launchQueue event external "
    "Window Document DocumentFragment DocumentType Node NodeList NodeFilter NodeIterator TreeWalker Element Text Comment "
    "CDATASection CharacterData ProcessingInstruction Attr NamedNodeMap DOMTokenList DOMStringMap DOMParser "
    "XMLSerializer XMLHttpRequest XMLHttpRequestUpload XPathResult XPathEvaluator HTMLCollection "
    "HTMLFormControlsCollection HTMLOptionsCollection HTMLElement HTMLUnknownElement HTMLAnchorElement "
    "HTMLAreaElement HTMLAudioElement HTMLBaseElement HTMLBodyElement HTMLBRElement HTMLButtonElement "
    "HTMLCanvasElement HTMLDataElement HTMLDataListElement HTMLDetailsElement HTMLDialogElement HTMLDivElement "
    "HTMLDListElement HTMLDocument HTMLEmbedElement HTMLFieldSetElement HTMLFormElement HTMLFrameElement "
    "HTMLFrameSetElement HTMLHeadElement HTMLHeadingElement HTMLHRElement HTMLHtmlElement HTMLIFrameElement "
    "HTMLImageElement HTMLInputElement HTMLLabelElement HTMLLegendElement HTMLLIElement HTMLLinkElement "
    "HTMLMapElement HTMLMediaElement HTMLMenuElement HTMLMetaElement HTMLMeterElement HTMLModElement "
    "HTMLObjectElement HTMLOListElement HTMLOptGroupElement HTMLOptionElement HTMLOutputElement HTMLParagraphElement "
    "HTMLPictureElement HTMLPreElement HTMLProgressElement HTMLQuoteElement HTMLScriptElement HTMLSelectElement "
    "HTMLSlotElement HTMLSourceElement HTMLSpanElement HTMLStyleElement HTMLTableCaptionElement HTMLTableCellElement "
    "HTMLTableColElement HTMLTableElement HTMLTableRowElement HTMLTableSectionElement HTMLTemplateElement "
    "HTMLTextAreaElement HTMLTimeElement HTMLTitleElement HTMLTrackElement HTMLUListElement HTMLVideoElement "
    "SVGElement SVGSVGElement SVGGraphicsElement SVGPathElement MathMLElement ShadowRoot CustomElementRegistry "
    "CSSStyleDeclaration CSSStyleSheet CSSRule CSSRuleList CSS StyleSheet MediaQueryList MediaQueryListEvent Image Audio "
    "Option Range Selection StaticRange UIEvent MouseEvent PointerEvent KeyboardEvent FocusEvent InputEvent WheelEvent "
    "TouchEvent Touch TouchList DragEvent DataTransfer DataTransferItem ClipboardEvent CompositionEvent "
    "AnimationEvent TransitionEvent ErrorEvent PromiseRejectionEvent PopStateEvent HashChangeEvent StorageEvent "
    "ProgressEvent SubmitEvent ToggleEvent PageTransitionEvent BeforeUnloadEvent CloseEvent Animation KeyframeEffect "
    "AnimationTimeline MutationObserver MutationRecord IntersectionObserver IntersectionObserverEntry ResizeObserver "
    "ResizeObserverEntry DOMRect DOMRectReadOnly DOMPoint DOMMatrix DOMImplementation FileReader FileList FileSystemHandle "
    "ImageData ImageBitmap createImageBitmap OffscreenCanvas CanvasRenderingContext2D CanvasGradient CanvasPattern "
    "Path2D WebGLRenderingContext WebGL2RenderingContext AudioContext AudioBuffer MediaStream MediaRecorder "
    "MediaSource Notification Worker SharedWorker ServiceWorker Clipboard ClipboardItem Geolocation History Location "
    "Screen Permissions IDBDatabase IDBRequest IDBKeyRange IDBTransaction Cache CacheStorage RTCPeerConnection "
    "SpeechSynthesisUtterance speechSynthesis ValidityState EventListener".split()
)

TYPES = frozenset(
    "Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType "
    "InstanceType NoInfer ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize "
    "Awaited ReadonlyArray ReadonlyMap ReadonlySet PromiseLike ArrayLike Iterable IterableIterator AsyncIterable "
    "AsyncIterableIterator IteratorResult PropertyKey PropertyDescriptor PropertyDescriptorMap TypedPropertyDescriptor "
    "TemplateStringsArray ArrayBufferView ArrayBufferLike ErrorOptions RegExpMatchArray RegExpExecArray "
    "PromiseSettledResult PromiseFulfilledResult PromiseRejectedResult PromiseConstructor ArrayConstructor "
    "ObjectConstructor StringConstructor NumberConstructor BooleanConstructor DateConstructor FunctionConstructor "
    "ErrorConstructor MapConstructor SetConstructor SymbolConstructor CallableFunction NewableFunction IArguments "
    "ClassDecorator PropertyDecorator MethodDecorator ParameterDecorator ImportMeta ImportAttributes "
    "EventListenerOrEventListenerObject AddEventListenerOptions EventListenerOptions EventListenerObject RequestInit "
    "RequestInfo ResponseInit HeadersInit BodyInit BlobPart BufferSource WeakKey HTMLElementTagNameMap "
    "SVGElementTagNameMap HTMLElementEventMap WindowEventMap DocumentEventMap GlobalEventHandlers ParentNode ChildNode "
    "FrameRequestCallback IdleRequestCallback TimerHandler MutationCallback ScrollToOptions ScrollIntoViewOptions "
    "FileSystemFileHandle ElementCSSInlineStyle JSX BigIntConstructor Disposable AsyncDisposable".split()
)

BUILTINS = LANGUAGE | SHARED | NODE | BROWSER
