public import ExtensionRuntime

/// A controller whose view is never made: there are no views here.
@preconcurrency @MainActor
open class NSViewController: NSObject {
  /// The title.
  open var title: String?
  /// The size that a popover would have.
  open var preferredContentSize = CGSize.zero
  /// What the view would show.
  open var representedObject: Any?
  /// The name of the nib, which is not read.
  public let nibName: String?

  /// Makes a controller.
  public override convenience init() { self.init(nibName: nil, bundle: nil) }

  /// Makes a controller.
  public init(nibName: String?, bundle: Bundle?) {
    self.nibName = nibName
    super.init()
  }

  /// Makes nothing: no nib is read.
  public required init?(coder: NSCoder) { nil }

  /// Not called.
  open func loadView() {}
  /// Not called.
  open func viewDidLoad() {}
  /// Not called.
  open func viewWillAppear() {}
  /// Not called.
  open func viewDidAppear() {}
  /// Not called.
  open func viewWillDisappear() {}
  /// Not called.
  open func viewDidDisappear() {}
  /// Not called.
  open func viewWillLayout() {}
  /// Not called.
  open func viewDidLayout() {}
}
