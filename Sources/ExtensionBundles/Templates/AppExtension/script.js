document.addEventListener("DOMContentLoaded", function() {
    safari.extension.dispatchMessage("Hello World!");
});
